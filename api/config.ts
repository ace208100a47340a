import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { readEmbeddedVoiceConfig, type EmbeddedVoiceConfig } from '../providers/embedded/speech/config.ts';
import { readUpstreamConfig, type UpstreamConfig } from '../providers/config.ts';

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
  /** How upstreams are called. */
  upstream: UpstreamConfig;
  /** What the embedded voices may take of the machine. */
  embeddedVoice: EmbeddedVoiceConfig;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Reads the settings. Throws a sentence that names the variable whose value can't be used. */
export function readApiConfig(env: NodeJS.ProcessEnv = process.env): ApiConfig {
  return {
    host: env.HOST || '127.0.0.1',
    port: wholeNumber(env, 'PORT', 4000, { min: 0, max: 65_535 }),
    tls: readTls(env),
    publicUrl: publicUrl(env),
    databaseUrl: databaseUrl(env),
    ledgerLeaseMs: wholeNumber(env, 'LEDGER_LEASE_MS', 20_000, { min: 2_000, max: 300_000 }),
    shutdown: {
      noticeMs: wholeNumber(env, 'SHUTDOWN_NOTICE_MS', 500, { min: 0, max: 60_000 }),
      graceMs: wholeNumber(env, 'SHUTDOWN_GRACE_MS', 20_000, { min: 0, max: 600_000 }),
    },
    temporal: {
      address: env.TEMPORAL_ADDRESS || '127.0.0.1:7233',
      namespace: env.TEMPORAL_NAMESPACE || 'default',
    },
    networkFeePercentage: wholeNumber(env, 'NETWORK_FEE_PERCENTAGE', 10, { min: 0, max: 100 }),
    openRunsMax: wholeNumber(env, 'OPEN_RUNS_MAX', 100, { min: 1, max: 100_000 }),
    submissionsPerDayMax: wholeNumber(env, 'SUBMISSIONS_PER_DAY_MAX', 20, { min: 1, max: 100_000 }),
    catalogFile: env.MODEL_CATALOG_FILE || fileURLToPath(new URL('../catalog.json', import.meta.url)),
    agentModel: env.AGENT_MODEL || undefined,
    variable: (name) => env[name] ?? '',
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    defaultRpmLimit: wholeNumber(env, 'DEFAULT_RPM_LIMIT', 600, { min: 1, max: 1_000_000 }),
    defaultConcurrencyLimit: wholeNumber(env, 'DEFAULT_CONCURRENCY_LIMIT', 20, { min: 1, max: 100_000 }),
    limitsRedisUrl: redisUrl(env, 'LIMITS_REDIS_URL'),
    upstream: readUpstreamConfig(env),
    embeddedVoice: readEmbeddedVoiceConfig(env),
  };
}

function readTls(env: NodeJS.ProcessEnv): ApiConfig['tls'] {
  if (!env.TLS_CERT_FILE && !env.TLS_KEY_FILE) return null;
  const identity = { cert: file(env, 'TLS_CERT_FILE'), key: file(env, 'TLS_KEY_FILE') };
  try {
    createSecureContext(identity);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new Error(`TLS_CERT_FILE and TLS_KEY_FILE are no certificate and its key, in PEM (${reason})`, { cause });
  }
  return { port: wholeNumber(env, 'TLS_PORT', 4443, { min: 0, max: 65_535 }), ...identity };
}

function file(env: NodeJS.ProcessEnv, name: string): Buffer {
  try {
    return readFileSync(required(env, name));
  } catch (cause) {
    if (!env[name]) throw cause;
    throw new Error(`${name} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function publicUrl(env: NodeJS.ProcessEnv): string {
  const value = env.PUBLIC_URL;
  if (!value) return `http://${localNameOf(env.HOST || '127.0.0.1')}:${env.PORT || 4000}`;
  if (isAddress(value, /^https?:$/)) return value;
  throw new Error(`PUBLIC_URL must be an address like https://api.example, not "${value}"`);
}

/** What a caller on this machine writes for the address of an interface: a name for all of them is no place to go to. */
function localNameOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function redisUrl(env: NodeJS.ProcessEnv, name: string): string | null {
  const value = env[name];
  if (!value) return null;
  if (isAddress(value, /^rediss?:$/)) return value;
  throw new Error(`${name} must be an address like redis://host:6379`);
}

function databaseUrl(env: NodeJS.ProcessEnv): string {
  const value = env.DATABASE_URL;
  if (value && isAddress(value, /^postgres(ql)?:$/)) return value;
  throw new Error('DATABASE_URL must be an address like postgres://user:password@host/database');
}

const isAddress = (value: string, protocol: RegExp) => URL.canParse(value) && protocol.test(new URL(value).protocol);

function required(env: NodeJS.ProcessEnv, name: string): string {
  if (!env[name]) throw new Error(`${name} is not set`);
  return env[name];
}

function wholeNumber(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: number,
  { min, max }: { min: number; max: number },
): number {
  const value = env[name] === undefined || env[name] === '' ? fallback : Number(env[name]);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`${name} must be a whole number from ${min} to ${max}, not "${env[name]}"`);
}

function oneOf(env: NodeJS.ProcessEnv, name: string, allowed: string[], fallback: string): string {
  const value = env[name] || fallback;
  if (allowed.includes(value)) return value;
  throw new Error(`${name} must be one of ${allowed.join(', ')}, not "${value}"`);
}
