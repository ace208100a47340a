import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { readStripeConfig } from '../payments/config.ts';
import type { StripeConfig } from '../payments/stripe.ts';
import { localUrl } from '../base/web.ts';
import { readVariables } from '../base/environment.ts';
import {
  readEmbeddedVoiceConfig,
  readUpstreamConfig,
  type EmbeddedVoiceConfig,
  type UpstreamConfig,
} from '../providers/config.ts';

/** The API process's settings, read once from the environment. */
export interface ApiConfig {
  host: string;
  port: number;
  /** The second listener, with its certificate and key in PEM. */
  tls: { port: number; cert: Buffer; key: Buffer } | null;
  /** The address that callers use, for the documentation. Never taken from a request. */
  publicUrl: string;
  databaseUrl: string;
  ledgerLeaseMs: number;
  /** How a process ends: how long it is not ready before it takes no more connections, and how long running calls may take. */
  shutdown: { noticeMs: number; graceMs: number };
  temporal: { address: string; namespace: string };
  /** What the platform takes on top of an agent's prices. */
  networkFeePercentage: number;
  /** How many runs of one workspace may be open at once. */
  openRunsMax: number;
  /** How many submissions for review the agents of one namespace may make in `SUBMISSION_HOURS`. */
  submissionsPerDayMax: number;
  catalogFile: string;
  /** The model that thinks for agents, by its id; undefined: the catalogue's choice. */
  agentModel: string | undefined;
  /** Values that the catalogue's addresses and keys may name. */
  variable: (name: string) => string;
  logLevel: string;
  defaultRpmLimit: number;
  defaultConcurrencyLimit: number;
  /** A Valkey or Redis server that counts for all API processes; null: each process counts alone. */
  limitsRedisUrl: string | null;
  /** How payments are taken; null: they are refused. */
  stripe: StripeConfig | null;
  /** How upstreams are called. */
  upstream: UpstreamConfig;
  /** What the embedded voices may take of the machine. */
  embeddedVoice: EmbeddedVoiceConfig;
}

const NAMES = [
  'HOST',
  'PORT',
  'PUBLIC_URL',
  'TLS_PORT',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
  'LEDGER_LEASE_MS',
  'SHUTDOWN_NOTICE_MS',
  'SHUTDOWN_GRACE_MS',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'NETWORK_FEE_PERCENTAGE',
  'OPEN_RUNS_MAX',
  'SUBMISSIONS_PER_DAY_MAX',
  'MODEL_CATALOG_FILE',
  'AGENT_MODEL',
  'LOG_LEVEL',
  'DEFAULT_RPM_LIMIT',
  'DEFAULT_CONCURRENCY_LIMIT',
  'LIMITS_REDIS_URL',
] as const;

type Values = ReturnType<typeof readVariables<(typeof NAMES)[number], 'DATABASE_URL'>>;

/** Reads the settings. Throws a sentence that names each variable whose value can't be used. */
export function readApiConfig(env: NodeJS.ProcessEnv = process.env): ApiConfig {
  const values = readVariables(env, NAMES, ['DATABASE_URL']);
  return {
    host: values.HOST,
    port: values.PORT,
    tls: readTls(values),
    publicUrl: values.PUBLIC_URL ?? localUrl(values.HOST, values.PORT),
    databaseUrl: values.DATABASE_URL,
    ledgerLeaseMs: values.LEDGER_LEASE_MS,
    shutdown: { noticeMs: values.SHUTDOWN_NOTICE_MS, graceMs: values.SHUTDOWN_GRACE_MS },
    temporal: { address: values.TEMPORAL_ADDRESS ?? '127.0.0.1:7233', namespace: values.TEMPORAL_NAMESPACE },
    networkFeePercentage: values.NETWORK_FEE_PERCENTAGE,
    openRunsMax: values.OPEN_RUNS_MAX,
    submissionsPerDayMax: values.SUBMISSIONS_PER_DAY_MAX,
    catalogFile: values.MODEL_CATALOG_FILE ?? fileURLToPath(new URL('../catalog.json', import.meta.url)),
    agentModel: values.AGENT_MODEL,
    variable: (name) => env[name] ?? '',
    logLevel: values.LOG_LEVEL,
    defaultRpmLimit: values.DEFAULT_RPM_LIMIT,
    defaultConcurrencyLimit: values.DEFAULT_CONCURRENCY_LIMIT,
    limitsRedisUrl: values.LIMITS_REDIS_URL ?? null,
    stripe: readStripeConfig(env),
    upstream: readUpstreamConfig(env),
    embeddedVoice: readEmbeddedVoiceConfig(env),
  };
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
