import { patched } from '@temporalio/workflow';
import type { RunEnding } from '../../activities/index.ts';
import { callAgent } from './callAgent.ts';
import { calls } from './calls.ts';
import type { CalledTool, Job } from './job.ts';
import { askTogether, waitForCaller } from './waiting.ts';

/** The tool that the caller answers. */
const ASK_USER = 'ask_user';
/** The tool by which another agent is called. */
const CALL_AGENT = 'call_agent';

/**
 * The calls of one turn: those that need nobody first, then all questions and approvals together, then what was approved. Returns how the
 * run ends, if it does.
 */
export async function useTools(job: Job, modelStep: number, toolCalls: CalledTool[]): Promise<RunEnding | undefined> {
  const waiting = toolCalls.filter(({ name, needsApproval }) => name === ASK_USER || needsApproval);
  const others = toolCalls.filter((call) => !waiting.includes(call));
  const ending = await useUntilDone(job, modelStep, others);
  if (ending || waiting.length === 0) return ending;
  // Approvals are younger than this patch: a run without it has none.
  if (!patched('asksTogether')) return askOneByOne(job, modelStep, waiting);
  const steps = waiting.map(({ step }) => step);
  const asked = await askTogether(job, modelStep, steps);
  if ('ending' in asked) return asked.ending;
  const approved = waiting.filter(({ step }) => !asked.settled.includes(step));
  return useUntilDone(job, modelStep, approved);
}

async function askOneByOne(job: Job, modelStep: number, questions: CalledTool[]): Promise<RunEnding | undefined> {
  for (const { step } of questions) {
    const ending = await waitForCaller(job, { runId: job.runId, type: 'text', step, modelStep });
    if (ending) return ending;
  }
  return undefined;
}

/** Runs tools until none of them waits: for what a plugin needs, or for money of the run that others hold. */
async function useUntilDone(job: Job, modelStep: number, toolCalls: CalledTool[]): Promise<RunEnding | undefined> {
  let tools = toolCalls;
  while (tools.length > 0) {
    job.view.show(`Uses ${tools.map(({ name }) => name).join(', ')}.`);
    const used = await useTogether(job, modelStep, tools);
    if ('ending' in used) return used.ending;
    const ending = await waitAfter(job, used, tools);
    if (ending) return ending;
    tools = [...used.unsupplied, ...used.unpaid];
  }
  return undefined;
}

/** What tools wait for: their plugin, or the run's money. `isRaisable`: the caller may raise the limit of that. */
interface Unused {
  unsupplied: CalledTool[];
  unpaid: CalledTool[];
  isRaisable: boolean;
}

/** Waits for the caller where these tools need it. Tools that others have left no money for are tried again without a wait. */
async function waitAfter(
  job: Job,
  { unsupplied, unpaid, isRaisable }: Unused,
  { length: tried }: CalledTool[],
): Promise<RunEnding | undefined> {
  const { runId } = job;
  if (unsupplied[0]) return waitForCaller(job, { runId, type: 'plugin', step: unsupplied[0].step });
  if (!unpaid[0] || unpaid.length < tried) return undefined;
  if (!isRaisable) return { status: 'limit_reached', limit: 'cost' };
  return waitForCaller(job, { runId, type: 'raise_limit', step: unpaid[0].step });
}

/** Runs tools concurrently. Returns those that wait, or how the run ends. */
async function useTogether(job: Job, modelStep: number, tools: CalledTool[]): Promise<{ ending: RunEnding } | Unused> {
  const { runId } = job;
  const deadlineMs = job.deadlineMs!;
  const use = ({ step, name }: CalledTool) =>
    name === CALL_AGENT
      ? callAgent({ runId, step, modelStep, deadlineMs }, job)
      : calls.use(runId, { step, name, modelStep }, deadlineMs);
  // Waits for all tools, even after a failure: no tool may write into a settled run.
  const used = await Promise.allSettled(tools.map(use));
  const unused: Unused = { unsupplied: [], unpaid: [], isRaisable: true };
  for (const [index, one] of used.entries()) {
    if (one.status === 'rejected') throw one.reason;
    const { outcome } = one.value;
    if (outcome === 'stopped') return { ending: { status: 'cancelled' } };
    if (outcome === 'timeout') return { ending: { status: 'limit_reached', limit: 'timeout' } };
    if (outcome === 'plugin') unused.unsupplied.push(tools[index]!);
    if (outcome === 'unpaid' || outcome === 'raise_limit') unused.unpaid.push(tools[index]!);
    if (outcome === 'unpaid') unused.isRaisable = false;
  }
  return unused;
}
