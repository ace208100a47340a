import { pino } from 'pino';
import { createAgentModels } from '../../db/agents/agentModels.ts';
import type { AgentConfiguration } from '../../db/agents/configuration.ts';
import type { Database } from '../../db/database.ts';
import { storedNamespace } from '../../db/agents/namespaces.ts';
import { newId } from '../../db/ids.ts';
import { startTestUpstream } from '../../rules/testMode/testUpstream.ts';
import { createTextProviders } from '../../providers/textProviders.ts';
import { TEST_ISSUER } from './issuer.ts';

/** Publishes an agent of the workspace without a review. Returns its name, `test/<slug>`. */
export async function publishAgent(
  { pool }: Pick<Database, 'pool'>,
  configuration: Partial<AgentConfiguration>,
  {
    workspaceId,
    visibility = 'public',
    slug = newAgentSlug(),
  }: { workspaceId: string; visibility?: string; slug?: string },
): Promise<string> {
  const text = JSON.stringify({ ...PLAIN, ...configuration });
  const ids = [newId('agent'), newId('aver'), newId('dep')];
  await pool.query(PUBLISH, [...ids, workspaceId, slug, text, visibility, storedNamespace('test', workspaceId)]);
  return `test/${slug}`;
}

/** A unique slug. */
export const newAgentSlug = (): string => newId('a').replace('_', '').toLowerCase();

const PLAIN: AgentConfiguration = {
  name: 'Plain',
  description: 'Answers.',
  instructions: 'Answer.',
  tools: [],
  plugins: [],
  pricing: {
    minimum_cost_usd: 0.01,
    maximum_cost_usd: 1,
    rates: [
      { meter: 'model_output_tokens', price_usd: 0.000002 },
      { meter: 'tool_calls', price_usd: 0.001 },
    ],
  },
  icon_file_id: null,
  categories: ['test'],
  example_prompts: ['Hello.'],
};

const PUBLISH = `
with agent as (
  insert into agents (id, workspace_id, namespace, slug, draft) values ($1, $4, $8, $5, $6)),
version as (
  insert into agent_versions (id, workspace_id, agent_id, number, label, source_revision, configuration)
  values ($2, $4, $1, 1, '2026-01-01', 1, $6))
insert into deployments (id, workspace_id, agent_id, version_id, visibility, status, activated_at, decided_at)
values ($3, $4, $1, $2, $7, 'active', now(), now())`;

/** The agents' model in tests. */
const agentModel = {
  id: 'ledgerline-text-1',
  kind: 'text' as const,
  aliases: [],
  created: 1_761_955_200,
  contextTokens: 8192,
  outputTokensMax: 4096,
  inputMediaTypes: ['image/png', 'audio/wav', 'audio/mpeg'],
  upstreams: [{ upstream: 'main', model: 'scripted' }],
  rates: { input_tokens: 300_000n, output_tokens: 2_500_000n },
};

/** A more expensive model, which an agent may name. */
const dearModel = {
  ...agentModel,
  id: 'ledgerline-text-2',
  rates: { input_tokens: 600_000n, output_tokens: 5_000_000n },
};

/** A model by rules: its runs cost nothing. */
const rehearsalModel = { ...agentModel, id: 'ledgerline-rehearsal', rehearsal: true as const, rates: {} };

const allModels = [agentModel, dearModel, rehearsalModel];

/** The models of agents in tests. */
export const testModels = createAgentModels({
  models: allModels,
  sandboxUsdPerSecond: 0.00005,
  find: () => undefined,
  known: () => undefined,
});

/** That model at an upstream, and a function that closes it. */
export function openAgentModel(upstreamUrl: string) {
  const providers = createTextProviders(
    { upstreams: new Map([['main', { baseUrl: upstreamUrl }]]) },
    { idleTimeoutMs: 20_000, answerTimeoutMs: 20_000, connectionsMax: 100 },
    { openTestUpstream: startTestUpstream },
  );
  return { model: agentModel, models: testModels, textProviders: providers, close: () => providers.close() };
}

/** What a worker of a test is made with beside its stage: it has no batches, judges, payments, mails and archive. */
export const plainWorker = {
  reviewCostUsdMax: 1,
  payments: null,
  mailer: { sendMail: async () => {} },
  unbilledKeptDays: 90,
  archiveFiles: undefined,
  archiveAfterDays: null,
  issuer: TEST_ISSUER,
  // A run that retries until its deadline retries often in a test.
  retryDelayMaxMs: 1_000,
  logger: pino({ level: 'silent' }),
  lines: {
    refuseModel: () => undefined,
    worstCaseNanosOf: () => 0n,
    hasUpstreamBatches: () => false,
    preparedOf: async () => undefined,
    run: () => Promise.reject(new Error('this worker runs no batches')),
  },
  judges: {
    worstCaseNanosOf: () => 0n,
    run: () => Promise.reject(new Error('no model judges for this worker')),
  },
  upstreamBatches: {
    has: () => false,
    of: () => Promise.reject(new Error('this worker has no upstream batches')) as never,
  },
  batchConcurrency: 1,
};
