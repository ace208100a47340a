import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { parseSealingKeys, type SealingKeys } from '../db/agents/sealingKeys.ts';
import { readUpstreamConfig, type UpstreamConfig } from '../providers/config.ts';
import type { SandboxTier } from '../sandbox/sandbox.ts';

const Variables = z.object({
  DATABASE_URL: z.url({
    protocol: /^postgres(ql)?$/,
    error: 'must be an address like postgres://user:password@host/database',
  }),
  TEMPORAL_ADDRESS: z.string().default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  MODEL_CATALOG_FILE: z.string().default(fileURLToPath(new URL('../catalog.json', import.meta.url))),
  AGENT_MODEL: z.string().optional(),
  PLUGIN_SECRETS_KEY: z.string().default('').transform(sealingKeys),
  MODEL_RETRY_DELAY_MAX_SECONDS: z.coerce.number().min(0.1).max(3_600).default(60),
  REVIEW_COST_USD_MAX: z.coerce.number().min(0).max(1_000).multipleOf(0.000001).default(1),
  SANDBOX_TIER: z.enum(['quickjs', 'bwrap', 'gvisor']).default('quickjs'),
});

export type WorkerConfig = {
  databaseUrl: string;
  temporalAddress: string;
  temporalNamespace: string;
  logLevel: string;
  catalogFile: string;
  /** Values for variables in the catalogue's addresses and keys. */
  variable: (name: string) => string;
  /** Timeouts and options of upstream calls. */
  upstream: UpstreamConfig;
  /** The id of the agents' model; undefined: the catalogue's choice. */
  agentModel: string | undefined;
  /** Keys that decrypt the credentials of plugins. */
  pluginKeys: SealingKeys;
  /** The longest delay between two attempts of a step whose model fails. */
  retryDelayMaxMs: number;
  /** The most that the trials of one submission may cost the platform. */
  reviewCostUsdMax: number;
  sandboxTier: SandboxTier;
};

/**
 * The worker's settings from its environment, parsed once. An empty value counts as none.
 * @throws a sentence that names each variable with a bad value.
 */
export function workerConfigOf({ env }: { env: NodeJS.ProcessEnv }): WorkerConfig {
  const parsed = Variables.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')));
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
  }
  return {
    databaseUrl: parsed.data.DATABASE_URL,
    temporalAddress: parsed.data.TEMPORAL_ADDRESS,
    temporalNamespace: parsed.data.TEMPORAL_NAMESPACE,
    logLevel: parsed.data.LOG_LEVEL,
    catalogFile: parsed.data.MODEL_CATALOG_FILE,
    variable: (name) => env[name] ?? '',
    upstream: readUpstreamConfig(env),
    agentModel: parsed.data.AGENT_MODEL,
    pluginKeys: parsed.data.PLUGIN_SECRETS_KEY,
    retryDelayMaxMs: parsed.data.MODEL_RETRY_DELAY_MAX_SECONDS * 1000,
    reviewCostUsdMax: parsed.data.REVIEW_COST_USD_MAX,
    sandboxTier: parsed.data.SANDBOX_TIER,
  };
}

function sealingKeys(text: string, context: z.RefinementCtx): SealingKeys {
  try {
    return parseSealingKeys(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
    return z.NEVER;
  }
}
