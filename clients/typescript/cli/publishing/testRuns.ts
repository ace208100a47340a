import type { Ledgerline, Run } from '../../src/index.ts';
import type { RunInput } from '../agentFolder/examples.ts';
import { nameOf, type OwnAgent } from './ownAgents.ts';

/** The metadata that tells tests of one example from others. */
const EXAMPLE = 'example';

interface Test {
  agent: OwnAgent;
  example: string;
}

/** Starts a test of the draft with an example. */
export async function startTest(
  client: Ledgerline,
  { agent, example, input, maxCostUsd }: Test & { input: RunInput; maxCostUsd: number | undefined },
): Promise<Run> {
  const { data } = await client.api.POST('/v1/publisher/agents/{agent_id}/test-runs', {
    params: { path: { agent_id: agent.id } },
    body: { input, metadata: { [EXAMPLE]: example }, ...(maxCostUsd !== undefined && { max_cost_usd: maxCostUsd }) },
  });
  return data;
}

/** The last completed test of an example, on whichever machine; undefined without one. */
export async function lastTest(client: Ledgerline, { agent, example }: Test): Promise<Run | undefined> {
  const { data } = await client.api.GET('/v1/runs', {
    params: {
      query: { agent: nameOf(agent), source: 'test', status: 'completed', metadata: { [EXAMPLE]: example }, limit: 1 },
    },
  });
  return data.data[0];
}
