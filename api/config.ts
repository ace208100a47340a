import { readFileSync } from 'node:fs';
import type { BlockList } from 'node:net';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { AgentUpstream } from '../db/catalog/agentUpstream.ts';
import { readAgentUpstream, readArchiveStore, readDatabasePlace, readFileStore } from '../db/config.ts';
import { createContentBox, type ContentBox } from '../db/contents/contentBox.ts';
import { parseCatalogKeys, type SealingKeys } from '../db/sealing/sealingKeys.ts';
import type { ArchiveStore } from '../db/archive/archiveFiles.ts';
import type { DatabasePlace } from '../db/postgres/pools.ts';
import type { FileStore } from '../db/objects/objectStore.ts';
import { readMailConfig } from '../providers/mail/config.ts';
import type { MailConfig } from '../providers/mail/mailer.ts';
import { readStripeConfig } from '../providers/payments/config.ts';
import type { StripeConfig } from '../providers/payments/stripe.ts';
import { localUrl } from '../base/web.ts';
import { readKeyIds, type KeyIds } from '../base/keyRings.ts';
import { readVariables } from '../base/environment.ts';
import { readSignInProviders, type SignInProvider } from '../providers/signIn/config.ts';
import { textOf } from '../base/secretFiles.ts';
import { readTemporalSettings, type TemporalSettings } from '../base/temporalSettings.ts';
import {
  readEmbeddedVoiceConfig,
  readUpstreamConfig,
  type EmbeddedVoiceConfig,
  type UpstreamConfig,
} from '../providers/config.ts';
import { readSingleSignOn, type SingleSignOnConfig } from './singleSignOnConfig.ts';

/** The API process's settings, read once from the environment. */
export interface ApiConfig extends SingleSignOnConfig {
  host: string;
  port: number;
  /** How many processes serve the ports. */
  processes: number;
  /** The second listener, with its certificate and key in PEM. */
  tls: { port: number; cert: Buffer; key: Buffer } | null;
  /** The address that callers use, for the documentation. Never taken from a request. */
  publicUrl: string;
  /** Proxies whose `X-Forwarded-*` headers are trusted; null: none. */
  trustedProxies: BlockList | null;
  database: DatabasePlace;
  /** How long a read waits for bills that are being posted, where that is no variable: longer in tests, on busy machines. */
  readWaitMs?: number;
  /** The ids of this process's keys, by their variable. */
  keyIds: KeyIds;
  /** Encrypts the contents of calls; null: none are kept. */
  contentBox: ContentBox | null;
  /** The file store; undefined: files are in the database. */
  fileStore: FileStore | undefined;
  /** Where archived months are; undefined: nowhere. */
  archiveStore: ArchiveStore | undefined;
  ledgerLeaseMs: number;
  /** How long the generation of a stream waits for a reader after its client has disconnected. */
  resumeGraceMs: number;
  /** Timing of a shutdown: how long `/readyz` reports not ready before new connections are refused, and how long running calls may take. */
  shutdown: { noticeMs: number; graceMs: number };
  temporal: TemporalSettings & { uiUrl: string | null };
  /** The platform's fee on top of an agent's prices, to be recorded; undefined: the last recorded fee. */
  networkFeePercentage: number | undefined;
  /** The age at which earnings can be paid out. */
  earningsMatureDays: number;
  /** The limit of open runs per workspace. */
  openRunsMax: number;
  /** The limit of submissions for review per workspace, in `SUBMISSION_HOURS`. */
  submissionsPerDayMax: number;
  catalogFile: string;
  /** A model from the environment for agents; null: none. */
  agentUpstream: AgentUpstream | null;
  /** The folder of the console's built pages. */
  pagesDir: string;
  /** The folder of the packages for customers; a folder for each language. */
  clientsDir: string;
  /** Id of the agents' model; undefined: the catalogue's choice. */
  agentModel: string | undefined;
  /** Values of variables in the catalogue's addresses and keys. */
  /** Keys that seal the upstreams' keys of the catalogue; null: none is configured. */
  catalogKeys: SealingKeys | null;
  variable: (name: string) => string;
  logLevel: string;
  /** The address for Prometheus and health checks; null: none. */
  metrics: { host: string; port: number } | null;
  defaultRpmLimit: number;
  defaultConcurrencyLimit: number;
  /** A Valkey or Redis server with the counters of all API processes; null: each process counts alone. */
  limitsRedisUrl: string | null;
  /** Whether webhooks may go to this machine, also over http. */
  webhookLoopback: boolean;
  /** How payments are taken; null: payments are refused. */
  stripe: StripeConfig | null;
  /** How mails are sent to people. */
  mail: MailConfig;
  /** The providers by which people sign in, besides passwords and passkeys. */
  signIn: SignInProvider[];
  /** How upstreams are called. */
  upstream: UpstreamConfig;
  /** Limits on the machine's resources for the embedded voices. */
  embeddedVoice: EmbeddedVoiceConfig;
}

const NAMES = [
  'HOST',
  'PORT',
  'API_PROCESSES',
  'PUBLIC_URL',
  'TRUSTED_PROXIES',
  'TLS_PORT',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
  'LEDGER_LEASE_MS',
  'RESUME_GRACE_MS',
  'SHUTDOWN_NOTICE_MS',
  'SHUTDOWN_GRACE_MS',
  'TEMPORAL_UI_URL',
  'NETWORK_FEE_PERCENTAGE',
  'EARNINGS_MATURE_DAYS',
  'OPEN_RUNS_MAX',
  'SUBMISSIONS_PER_DAY_MAX',
  'MODEL_CATALOG_FILE',
  'CATALOG_SECRETS_KEY',
  'AGENT_MODEL',
  'EMBEDDED_AGENT_MODEL',
  'LOG_LEVEL',
  'METRICS_PORT',
  'METRICS_HOST',
  'DEFAULT_RPM_LIMIT',
  'DEFAULT_CONCURRENCY_LIMIT',
  'LIMITS_REDIS_URL',
  'WEBHOOK_LOOPBACK',
  'CONTENTS_KEY',
  'SESSION_MINUTES_MAX',
  'SESSION_IDLE_MINUTES_MAX',
  'SSO_DNS_SERVERS',
  'SSO_PRIVATE_ORIGINS',
] as const;

type Values = ReturnType<typeof readVariables<(typeof NAMES)[number]>>;

/** Reads the settings. Throws an error that names each invalid variable. */
export function readApiConfig(env: NodeJS.ProcessEnv = process.env): ApiConfig {
  const values = readVariables(env, NAMES);
  const agentUpstream = readAgentUpstream(env);
  return {
    host: values.HOST,
    port: values.PORT,
    processes: processesOf(values),
    tls: readTls(values),
    publicUrl: publicUrlOf(values),
    trustedProxies: values.TRUSTED_PROXIES ?? null,
    database: readDatabasePlace({ env }),
    keyIds: readKeyIds(env, ['CATALOG_SECRETS_KEY', 'CONTENTS_KEY', 'TEMPORAL_PAYLOAD_KEY']),
    contentBox: values.CONTENTS_KEY === undefined ? null : createContentBox(values.CONTENTS_KEY),
    fileStore: readFileStore({ env }),
    archiveStore: readArchiveStore({ env }),
    ledgerLeaseMs: values.LEDGER_LEASE_MS,
    resumeGraceMs: values.RESUME_GRACE_MS,
    shutdown: { noticeMs: values.SHUTDOWN_NOTICE_MS, graceMs: values.SHUTDOWN_GRACE_MS },
    temporal: {
      ...readTemporalSettings(env),
      uiUrl: values.TEMPORAL_UI_URL ?? null,
    },
    networkFeePercentage: values.NETWORK_FEE_PERCENTAGE,
    earningsMatureDays: values.EARNINGS_MATURE_DAYS,
    openRunsMax: values.OPEN_RUNS_MAX,
    submissionsPerDayMax: values.SUBMISSIONS_PER_DAY_MAX,
    catalogFile: values.MODEL_CATALOG_FILE ?? fileURLToPath(new URL('../catalog.json', import.meta.url)),
    pagesDir: fileURLToPath(new URL('../console/dist', import.meta.url)),
    clientsDir: fileURLToPath(new URL('../clients/dist', import.meta.url)),
    agentModel: values.AGENT_MODEL ?? (agentUpstream ? undefined : values.EMBEDDED_AGENT_MODEL),
    agentUpstream,
    variable: (name) => textOf(env, name) ?? '',
    catalogKeys: values.CATALOG_SECRETS_KEY === undefined ? null : parseCatalogKeys(values.CATALOG_SECRETS_KEY),
    logLevel: values.LOG_LEVEL,
    metrics: values.METRICS_PORT === undefined ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    defaultRpmLimit: values.DEFAULT_RPM_LIMIT,
    defaultConcurrencyLimit: values.DEFAULT_CONCURRENCY_LIMIT,
    limitsRedisUrl: values.LIMITS_REDIS_URL ?? null,
    webhookLoopback: values.WEBHOOK_LOOPBACK === 'on',
    stripe: readStripeConfig(env),
    mail: readMailConfig(env),
    signIn: readSignInProviders(env),
    ...readSingleSignOn(values),
    upstream: readUpstreamConfig(env),
    embeddedVoice: readEmbeddedVoiceConfig(env),
  };
}

function processesOf({ API_PROCESSES, LIMITS_REDIS_URL }: Values): number {
  if (API_PROCESSES > 1 && LIMITS_REDIS_URL === undefined)
    throw new Error(
      'LIMITS_REDIS_URL: is not set; with more than one of API_PROCESSES a key would have its limits in each',
    );
  return API_PROCESSES;
}

/** Links, cookies and the pages' origin are derived from it, so no request header can influence them. */
function publicUrlOf({ PUBLIC_URL, TRUSTED_PROXIES, HOST, PORT }: Values): string {
  if (TRUSTED_PROXIES && PUBLIC_URL === undefined)
    throw new Error('PUBLIC_URL: is not set; behind TRUSTED_PROXIES it must be the address that callers use');
  return PUBLIC_URL ?? localUrl(HOST, PORT);
}

function readTls(values: Values): ApiConfig['tls'] {
  if (!values.TLS_CERT_FILE && !values.TLS_KEY_FILE) return null;
  const identity = { cert: readPem(values, 'TLS_CERT_FILE'), key: readPem(values, 'TLS_KEY_FILE') };
  try {
    createSecureContext(identity);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new Error(`TLS_CERT_FILE and TLS_KEY_FILE are no certificate and its key, in PEM (${reason})`, { cause });
  }
  return { port: values.TLS_PORT, ...identity };
}

function readPem(values: Values, name: 'TLS_CERT_FILE' | 'TLS_KEY_FILE'): Buffer {
  const path = values[name];
  if (path === undefined) throw new Error(`${name} is not set`);
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Error(`${name} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
