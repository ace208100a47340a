import type { Ledgerline } from '../../src/index.ts';
import type { AgentFolder } from '../agentFolder/readFolder.ts';
import { usd } from '../format.ts';
import { say } from '../output.ts';
import { statusLine } from '../terminal/statusLine.ts';
import type { SentDraft } from './draft.ts';
import {
  awaitEvaluation,
  cancelEvaluation,
  comparedWith,
  findEvaluationRun,
  quoteEvaluation,
  startEvaluation,
  storeSet,
  type EvaluationRun,
} from './evaluate.ts';
import { evaluationLog } from './evaluationLog.ts';
import { untilInterrupted } from './interrupts.ts';

export interface EvaluateOptions {
  /** `draft`, `live`, or a version. */
  version: string;
  against?: string | undefined;
  maxCostUsd?: number | undefined;
  /** Runs it although this content was evaluated. */
  again: boolean;
}

interface Evaluating extends Pick<SentDraft, 'agent' | 'configuration'> {
  folder: AgentFolder;
  options: EvaluateOptions;
}

/** Evaluates an agent with the set of its folder: once for the same content and set. Undefined where the folder has no set. */
export async function evaluateDraft(
  client: Ledgerline,
  { folder, agent, configuration, options }: Evaluating,
): Promise<EvaluationRun | undefined> {
  const { evaluation } = folder;
  if (!evaluation) return undefined;
  const { version, maxCostUsd = evaluation.maxCostUsd, again, against = comparedWith(agent) } = options;
  const revision = await storeSet(client, { evaluation, agentId: agent.id });
  const known =
    version === 'draft' && !again ? await findEvaluationRun(client, { agent, configuration }, revision) : undefined;
  if (!known) await sayCost(client, agent.id, version);
  const runId = known ?? (await startEvaluation(client, agent.id, { version, maxCostUsd }));
  const status = statusLine();
  const log = evaluationLog((text) => {
    status.clear();
    say(text);
  });
  const seen = (run: EvaluationRun) => {
    if (!known) log(run);
    const done = run.cases.filter((one) => one.status !== 'queued').length;
    status.progress('Evaluates', done, run.cases.length, usd(run.cost_usd));
  };
  try {
    return await untilInterrupted(async (signal) => {
      try {
        return await awaitEvaluation(client, { agentId: agent.id, runId, against, signal }, seen);
      } catch (error) {
        // What nobody waits for costs nothing more.
        if (signal.aborted && !known) await cancelEvaluation(client, agent.id, runId).catch(() => {});
        throw error;
      }
    });
  } finally {
    status.clear();
  }
}

async function sayCost(client: Ledgerline, agentId: string, version: string): Promise<void> {
  const { cases, p50_usd: probable, max_usd: most } = await quoteEvaluation(client, agentId, version);
  say(
    `Evaluates ${cases} ${cases === 1 ? 'case' : 'cases'}, for ${probable === null ? '' : `about ${usd(probable)}, `}at most ${usd(most)}.`,
  );
}
