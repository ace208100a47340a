import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import { parseSealingKeys, type SealingKeys } from '../db/agents/sealingKeys.ts';
import { isMistypedKey } from '../db/keys/keySecret.ts';
import { nanosOfUsd } from '../db/money.ts';
import { readEnvironmentFile } from '../stack/environmentFile.ts';

const projectDir = fileURLToPath(new URL('..', import.meta.url));
const SECRET_LENGTH_MIN = 32;
const SECRET_CHARACTERS_MIN = 10;

/** The settings of the command line. */
export interface AdminConfig {
  databaseUrl: string;
  temporal: { address: string; namespace: string };
  /** Seals the credentials of plugins. Throws a sentence when the variable is missing or can't be used. */
  pluginKeys: () => SealingKeys;
  bootstrap: {
    /** The first workspace's key, when it was agreed elsewhere. */
    secret: string | undefined;
    creditNanos: bigint;
  };
}

/**
 * Reads the settings. Without `DATABASE_URL` the database is that of the installation whose data folder this is.
 * Throws a sentence that names the variable when something is missing or can't be used.
 */
export function readAdminConfig(env: NodeJS.ProcessEnv = process.env): AdminConfig {
  const dataDir = resolve(projectDir, env.DATA_DIR || '.data');
  // A namespace belongs to its server.
  const temporal = env.TEMPORAL_ADDRESS ? env : { ...readEnvironmentFile(dataDir), ...withoutEmpty(env) };
  return {
    databaseUrl: env.DATABASE_URL || installedDatabaseUrl(dataDir),
    temporal: {
      address: temporal.TEMPORAL_ADDRESS || '127.0.0.1:7233',
      namespace: temporal.TEMPORAL_NAMESPACE || 'default',
    },
    pluginKeys: () => pluginKeys(env.PLUGIN_SECRETS_KEY || readEnvironmentFile(dataDir).PLUGIN_SECRETS_KEY),
    bootstrap: { secret: bootstrapSecret(env), creditNanos: bootstrapCredit(env) },
  };
}

function pluginKeys(text: string | undefined): SealingKeys {
  try {
    return parseSealingKeys(text ?? '');
  } catch (cause) {
    throw new Error(`PLUGIN_SECRETS_KEY ${(cause as Error).message}`, { cause });
  }
}

function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

function installedDatabaseUrl(dataDir: string): string {
  const url = readEnvironmentFile(dataDir).DATABASE_URL;
  if (url) return url;
  throw new Error(`No database: start the installation with npm start, or set DATABASE_URL (looked in ${dataDir}).`);
}

function bootstrapSecret({ BOOTSTRAP_API_KEY: secret }: NodeJS.ProcessEnv): string | undefined {
  if (!secret) return undefined;
  const body = /^sk_live_([0-9A-Za-z]+)$/.exec(secret)?.[1] ?? '';
  if (secret.length < SECRET_LENGTH_MIN || new Set(body).size < SECRET_CHARACTERS_MIN) {
    throw new Error(
      `BOOTSTRAP_API_KEY must be sk_live_ and letters and digits, at least ${SECRET_LENGTH_MIN} characters, ${SECRET_CHARACTERS_MIN} of them different: leave it empty, and a key is made and shown once`,
    );
  }
  if (isMistypedKey(secret)) {
    throw new Error('BOOTSTRAP_API_KEY has the length of a generated key but not its checksum: it was mistyped');
  }
  return secret;
}

function bootstrapCredit({ BOOTSTRAP_CREDIT_USD: usd }: NodeJS.ProcessEnv): bigint {
  const nanos = amountOrUndefined(usd || '10');
  if (nanos !== undefined && nanos >= 0n) return nanos;
  throw new Error(`BOOTSTRAP_CREDIT_USD must be an amount in US dollars, not "${usd}"`);
}

function amountOrUndefined(usd: string): bigint | undefined {
  try {
    return nanosOfUsd(usd);
  } catch {
    return undefined;
  }
}
