import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readKeyIds, type KeyIds } from '../base/keyRings.ts';
import { readVariables } from '../base/environment.ts';
import { textOf } from '../base/secretFiles.ts';
import { readTemporalSettings, type TemporalSettings } from '../base/temporalSettings.ts';
import { parseCatalogKeys, parseSealingKeys, type SealingKeys } from '../db/sealing/sealingKeys.ts';
import type { AgentUpstream } from '../db/catalog/agentUpstream.ts';
import { readAgentUpstream, readArchiveStore, readDatabasePlace, readFileStore } from '../db/config.ts';
import type { ArchiveStore } from '../db/archive/archiveFiles.ts';
import type { DatabasePlace } from '../db/postgres/pools.ts';
import type { FileStore } from '../db/objects/objectStore.ts';
import { readMailConfig } from '../providers/mail/config.ts';
import type { Issuer } from '../db/invoices/issueInvoices.ts';
import type { MailConfig } from '../providers/mail/mailer.ts';
import { readStripeConfig } from '../providers/payments/config.ts';
import type { StripeConfig } from '../providers/payments/stripe.ts';
import { readUpstreamConfig, type UpstreamConfig } from '../providers/config.ts';
import type { SandboxTier } from '../tools/sandbox/sandbox.ts';

/** Activities that a worker carries at once. */
export interface Slots {
  modelSteps: number;
  toolSteps: number;
  batches: number;
}

export type WorkerConfig = {
  database: DatabasePlace;
  /** The ids of this process's keys, by their variable. */
  keyIds: KeyIds;
  /** A Valkey or Redis server for frequent notices; undefined: they go through the database. */
  busUrl: string | undefined;
  /** The file store; undefined: files are in the database. */
  fileStore: FileStore | undefined;
  temporal: TemporalSettings;
  /** The version of this worker in a rolling deploy; undefined: all workers have the same. */
  buildId: string | undefined;
  logLevel: string;
  /** The address for Prometheus and health checks; null: none. */
  metrics: { host: string; port: number } | null;
  /** The folder of data that survives restarts. */
  dataDir: string;
  /** The folder of the bundled database's backups; undefined: none. */
  backupDir: string | undefined;
  /** A folder on the database's disk; undefined: that of the bundled one, if it runs here. */
  databaseDiskDir: string | undefined;
  /** The address whose certificate is watched; undefined: none. */
  certificateUrl: string | undefined;
  catalogFile: string;
  /** A model from the environment for agents; null: none. */
  agentUpstream: AgentUpstream | null;
  /** Values for variables in the catalogue's addresses and keys. */
  variable: (name: string) => string;
  /** Keys that open the upstreams' keys of the catalogue; null: none is configured. */
  catalogKeys: SealingKeys | null;
  /** Timeouts and options of upstream calls. */
  upstream: UpstreamConfig;
  /** The id of the agents' model; undefined: the catalogue's choice. */
  agentModel: string | undefined;
  /** Keys that decrypt the credentials of plugins. */
  pluginKeys: SealingKeys;
  /** Activities that this worker carries at once, by their queue. */
  slots: Slots;
  /** Lines of batches that this worker runs at once. */
  batchConcurrency: number;
  /** The longest delay between two attempts of a step whose model fails. */
  retryDelayMaxMs: number;
  /** Cost limit for the platform of one submission's trials. */
  reviewCostUsdMax: number;
  sandboxTier: SandboxTier;
  /** The address of the console, for links in Temporal's UI. */
  consoleUrl: string | undefined;
  /** The platform's fee on top of an agent's prices, to be recorded; undefined: the last recorded fee. */
  networkFeePercentage: number | undefined;
  /** The limit of open runs per workspace. */
  openRunsMax: number;
  /** Retention, in days, of calls without a bill and of ended holds. */
  unbilledKeptDays: number;
  archiveStore: ArchiveStore | undefined;
  archiveAfterDays: number | null;
  /** Whether webhooks may go to this machine. */
  webhookLoopback: boolean;
  /** The automatic charges of saved cards; null: off. */
  stripe: StripeConfig | null;
  /** Who issues invoices. */
  issuer: Issuer;
  /** How mails are sent to people. */
  mail: MailConfig;
};

/**
 * The worker's settings from its environment, parsed once.
 * @throws an error that names each variable with an invalid value.
 */
export function workerConfigOf({ env }: { env: NodeJS.ProcessEnv }): WorkerConfig {
  const values = readVariables(env, [
    'LOG_LEVEL',
    'METRICS_PORT',
    'METRICS_HOST',
    'BACKUP_DIR',
    'DATABASE_DISK_DIR',
    'CERTIFICATE_URL',
    'DATA_DIR',
    'MODEL_CATALOG_FILE',
    'CATALOG_SECRETS_KEY',
    'AGENT_MODEL',
    'EMBEDDED_AGENT_MODEL',
    'PLUGIN_SECRETS_KEY',
    'WORKER_BUILD_ID',
    'LIMITS_REDIS_URL',
    'MODEL_RETRY_DELAY_MAX_SECONDS',
    'BATCH_CONCURRENCY',
    'MODEL_STEPS_AT_ONCE',
    'TOOL_STEPS_AT_ONCE',
    'BATCHES_AT_ONCE',
    'REVIEW_COST_USD_MAX',
    'UNBILLED_KEPT_DAYS',
    'SANDBOX_TIER',
    'PUBLIC_URL',
    'NETWORK_FEE_PERCENTAGE',
    'OPEN_RUNS_MAX',
    'WEBHOOK_LOOPBACK',
  ]);
  const agentUpstream = readAgentUpstream(env);
  return {
    database: readDatabasePlace({ env }),
    keyIds: readKeyIds(env, ['PLUGIN_SECRETS_KEY', 'CATALOG_SECRETS_KEY', 'TEMPORAL_PAYLOAD_KEY']),
    busUrl: values.LIMITS_REDIS_URL,
    fileStore: readFileStore({ env }),
    temporal: readTemporalSettings(env),
    buildId: values.WORKER_BUILD_ID,
    logLevel: values.LOG_LEVEL,
    metrics: values.METRICS_PORT === undefined ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    dataDir: resolve(values.DATA_DIR),
    backupDir: values.BACKUP_DIR,
    databaseDiskDir: values.DATABASE_DISK_DIR,
    certificateUrl: certificateUrlOf(values),
    catalogFile: values.MODEL_CATALOG_FILE ?? fileURLToPath(new URL('../catalog.json', import.meta.url)),
    variable: (name) => textOf(env, name) ?? '',
    catalogKeys: values.CATALOG_SECRETS_KEY === undefined ? null : parseCatalogKeys(values.CATALOG_SECRETS_KEY),
    upstream: readUpstreamConfig(env),
    agentModel: values.AGENT_MODEL ?? (agentUpstream ? undefined : values.EMBEDDED_AGENT_MODEL),
    agentUpstream,
    pluginKeys: parseSealingKeys(values.PLUGIN_SECRETS_KEY ?? ''),
    slots: {
      modelSteps: values.MODEL_STEPS_AT_ONCE,
      toolSteps: values.TOOL_STEPS_AT_ONCE,
      batches: values.BATCHES_AT_ONCE,
    },
    batchConcurrency: values.BATCH_CONCURRENCY,
    retryDelayMaxMs: values.MODEL_RETRY_DELAY_MAX_SECONDS * 1000,
    reviewCostUsdMax: values.REVIEW_COST_USD_MAX,
    sandboxTier: values.SANDBOX_TIER,
    consoleUrl: values.PUBLIC_URL,
    networkFeePercentage: values.NETWORK_FEE_PERCENTAGE,
    openRunsMax: values.OPEN_RUNS_MAX,
    unbilledKeptDays: values.UNBILLED_KEPT_DAYS,
    ...readArchive(env),
    webhookLoopback: values.WEBHOOK_LOOPBACK === 'on',
    stripe: readStripeConfig(env),
    issuer: readIssuer(env),
    mail: readMailConfig(env),
  };
}

/** Where months of calls move, and when. */
const readArchive = (env: NodeJS.ProcessEnv): Pick<WorkerConfig, 'archiveStore' | 'archiveAfterDays'> => ({
  archiveStore: readArchiveStore({ env }),
  archiveAfterDays: readVariables(env, ['ARCHIVE_AFTER_DAYS']).ARCHIVE_AFTER_DAYS ?? null,
});

// The certificate of a loopback address is of this machine alone.
const PUBLIC_TLS = /^https:\/\/(?!localhost|127\.|\[::1\])/i;

function certificateUrlOf(values: { CERTIFICATE_URL?: string | undefined; PUBLIC_URL?: string | undefined }) {
  const { CERTIFICATE_URL: own, PUBLIC_URL: known } = values;
  if (own !== undefined) return own === 'off' ? undefined : own;
  return known !== undefined && PUBLIC_TLS.test(known) ? known : undefined;
}

/** Who issues the invoices. */
function readIssuer(env: NodeJS.ProcessEnv): Issuer {
  const values = readVariables(env, [
    'SELLER_NAME',
    'SELLER_ADDRESS',
    'SELLER_TAX_ID',
    'SELLER_EMAIL',
    'INVOICE_PREFIX',
  ]);
  return {
    seller: {
      name: values.SELLER_NAME,
      address: values.SELLER_ADDRESS?.split(';').map((line) => line.trim()) ?? [],
      taxId: values.SELLER_TAX_ID ?? null,
      email: values.SELLER_EMAIL ?? null,
    },
    prefix: values.INVOICE_PREFIX,
  };
}
