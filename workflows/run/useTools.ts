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

/** Runs tools until none of them waits for what a plugin needs. */
async function useUntilDone(job: Job, modelStep: number, toolCalls: CalledTool[]): Promise<RunEnding | undefined> {
  const { runId, view } = job;
  let tools = toolCalls;
  while (tools.length > 0) {
    view.show(`Uses ${tools.map(({ name }) => name).join(', ')}.`);
    const used = await useTogether(job, modelStep, tools);
    if ('ending' in used) return used.ending;
    tools = used.waiting;
    const ending = tools[0] && (await waitForCaller(job, { runId, type: 'plugin', step: tools[0].step }));
    if (ending) return ending;
  }
  return undefined;
}

/** Runs tools concurrently. Returns those that wait for what a plugin needs of the caller, or how the run ends. */
async function useTogether(
  job: Job,
  modelStep: number,
  tools: CalledTool[],
): Promise<{ ending: RunEnding } | { waiting: CalledTool[] }> {
  const { runId } = job;
  const deadlineMs = job.deadlineMs!;
  const use = ({ step, name }: CalledTool) =>
    name === CALL_AGENT
      ? callAgent({ runId, step, modelStep, deadlineMs }, job)
      : calls.use(runId, { step, name, modelStep }, deadlineMs);
  // Waits for all tools, even after a failure: no tool may write into a settled run.
  const used = await Promise.allSettled(tools.map(use));
  const waiting: CalledTool[] = [];
  for (const [index, one] of used.entries()) {
    if (one.status === 'rejected') throw one.reason;
    if (one.value.outcome === 'stopped') return { ending: { status: 'cancelled' } };
    if (one.value.outcome === 'timeout') return { ending: { status: 'limit_reached', limit: 'timeout' } };
    if (one.value.outcome === 'plugin') waiting.push(tools[index]!);
  }
  return { waiting };
}
