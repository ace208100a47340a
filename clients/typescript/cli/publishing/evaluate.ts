import type { components, Ledgerline } from '../../src/index.ts';
import type { Evaluation } from '../agentFolder/evaluation.ts';
import { changedMembers } from '../agentFolder/members.ts';
import type { SentDraft } from './draft.ts';
import { placing } from './findings.ts';
import { Inputs } from './inputs.ts';
import { readVersion } from './ownAgents.ts';

export type EvaluationRun = components['schemas']['EvaluationRun'];
type Cases = components['schemas']['EvaluationSet']['cases'];

const WAIT_SECONDS = 20;

/** Makes the evaluation set of the agent that of the folder. Answers with its revision. */
export async function storeSet(
  client: Ledgerline,
  { evaluation, agentId }: { evaluation: Evaluation; agentId: string },
): Promise<number> {
  const path = { agent_id: agentId };
  const { data: before } = await client.api.GET('/v1/publisher/agents/{agent_id}/evaluation-set', { params: { path } });
  const inputs = new Inputs(client);
  const places = ([first, ...rest]: (string | number)[]) => (first === 'cases' ? evaluation.placeOf(rest) : undefined);
  return placing(places, async () => {
    const cases = await Promise.all(
      evaluation.cases.map(async ({ name, input, folder: within, checks }, at) => {
        const sent = {
          input,
          folder: within,
          placeOf: (inner: (string | number)[]) => evaluation.placeOf([at, 'input', ...inner]),
        };
        const known = before.cases.find((one) => one.name === name)?.input;
        return { name, input: await inputs.send(sent, known), checks };
      }),
    );
    const { data } = await client.api.PUT('/v1/publisher/agents/{agent_id}/evaluation-set', {
      params: { path },
      body: { cases: cases as Cases },
    });
    return data.revision;
  });
}

/** The newest run of this set with the draft's configuration that has ended, or will; undefined without one. */
export async function findEvaluationRun(
  client: Ledgerline,
  { agent, configuration }: Pick<SentDraft, 'agent' | 'configuration'>,
  revision: number,
): Promise<string | undefined> {
  const params = { path: { agent_id: agent.id }, query: { limit: RUNS_READ } };
  const { data } = await client.api.GET('/v1/publisher/agents/{agent_id}/evaluation-runs', { params });
  for (const run of data.data) {
    if (run.set_revision !== revision || run.status === 'cancelled') continue;
    const version = await readVersion(client, run.version_id).catch(() => undefined);
    if (version && changedMembers(version.configuration, configuration).length === 0) return run.id;
  }
  return undefined;
}

const RUNS_READ = 10;

interface Order {
  version: string;
  maxCostUsd: number | undefined;
}

export async function startEvaluation(
  client: Ledgerline,
  agentId: string,
  { version, maxCostUsd }: Order,
): Promise<string> {
  const { data } = await client.api.POST('/v1/publisher/agents/{agent_id}/evaluation-runs', {
    params: { path: { agent_id: agentId } },
    body: { version, ...(maxCostUsd !== undefined && { max_cost_usd: maxCostUsd }) },
  });
  return data.id;
}

/** Waits for the end of a run. `seen` gets it with each look. */
export async function awaitEvaluation(
  client: Ledgerline,
  {
    agentId,
    runId,
    against,
    signal,
  }: { agentId: string; runId: string; against?: string | undefined; signal: AbortSignal },
  seen: (run: EvaluationRun) => void,
): Promise<EvaluationRun> {
  const path = { agent_id: agentId, evaluation_run_id: runId };
  for (let seconds = 1; ; seconds = Math.min(seconds * 2, WAIT_SECONDS)) {
    const { data } = await client.api.GET('/v1/publisher/agents/{agent_id}/evaluation-runs/{evaluation_run_id}', {
      params: { path, query: { ...(against && { against }) } },
      headers: { prefer: `wait=${seconds}` },
      signal,
    });
    seen(data);
    if (data.ended_at !== null) return data;
  }
}

export async function cancelEvaluation(client: Ledgerline, agentId: string, runId: string): Promise<void> {
  const params = { path: { agent_id: agentId, evaluation_run_id: runId } };
  await client.api.POST('/v1/publisher/agents/{agent_id}/evaluation-runs/{evaluation_run_id}/cancel', { params });
}

/** What an evaluation of the draft is compared with: the public version, where there is one. */
export const comparedWith = (agent: SentDraft['agent']): string | undefined =>
  agent.public_deployment?.status === 'active' ? 'live' : undefined;

/** What a run of the set costs, probably and at most. */
export async function quoteEvaluation(client: Ledgerline, agentId: string, version: string) {
  const { data } = await client.api.POST('/v1/publisher/agents/{agent_id}/evaluation-set/quote', {
    params: { path: { agent_id: agentId } },
    body: { version },
  });
  return data;
}
