import { resolve } from 'node:path';
import { readVariables } from '../base/environment.ts';
import type { AgentUpstream } from './catalog/agentUpstream.ts';
import type { ArchiveStore } from './archive/archiveFiles.ts';
import type { DatabasePlace } from './postgres/pools.ts';
import type { FileStore } from './objects/objectStore.ts';

/** The application's database. Throws an error that names the variable when it is missing. */
export function readDatabasePlace({ env }: { env: NodeJS.ProcessEnv }): DatabasePlace {
  const values = readVariables(
    env,
    ['DATABASE_DIRECT_URL', 'DATABASE_CONNECTIONS_MAX', 'DATABASE_READ_CONNECTIONS_MAX'],
    ['DATABASE_URL'],
  );
  return {
    url: values.DATABASE_URL,
    directUrl: values.DATABASE_DIRECT_URL,
    mainMax: values.DATABASE_CONNECTIONS_MAX,
    readingMax: values.DATABASE_READ_CONNECTIONS_MAX,
  };
}

/** The login that migrates the same database, and its variable: the owner's, otherwise the application's. */
export function migrationUrlOf({ env }: { env: NodeJS.ProcessEnv }): { variable: string; url: string } {
  const { MIGRATION_DATABASE_URL: url } = readVariables(env, ['MIGRATION_DATABASE_URL']);
  return url
    ? { variable: 'MIGRATION_DATABASE_URL', url }
    : { variable: 'DATABASE_URL', url: readDatabasePlace({ env }).url };
}

/** The file store; undefined: files are in the database. */
export function readFileStore({ env }: { env: NodeJS.ProcessEnv }): FileStore | undefined {
  const { FILES_S3_URL: url, FILES_STORED_IN: place } = readVariables(env, ['FILES_S3_URL', 'FILES_STORED_IN']);
  if (url === undefined && place === 'store') throw new Error('FILES_S3_URL: is not set, but FILES_STORED_IN is store');
  return url === undefined ? undefined : { url, takesNew: place !== 'database' };
}

/** Where archived months are: in a folder, or in the store of files; undefined: there is none. */
export function readArchiveStore({ env }: { env: NodeJS.ProcessEnv }): ArchiveStore | undefined {
  const { ARCHIVE_FOLDER: folder } = readVariables(env, ['ARCHIVE_FOLDER']);
  return folder === undefined ? readFileStore({ env }) : { folder: resolve(folder) };
}

const OPENAI_URL = 'https://api.openai.com/v1';
// The list price of the model used by default.
const KNOWN_PRICES: Record<string, string> = { [`${OPENAI_URL} gpt-4.1-mini`]: '0.4/1.6' };
// The dearest list price of any vendor: an unknown model is never sold below its cost.
const HIGHEST_PRICES = '150/600';

/** The environment's model for agents; null when the environment sets neither a key nor an address. */
export function readAgentUpstream(env: NodeJS.ProcessEnv): AgentUpstream | null {
  const values = readVariables(env, [
    'AGENT_UPSTREAM_KEY',
    'AGENT_UPSTREAM_URL',
    'AGENT_UPSTREAM_MODEL',
    'AGENT_UPSTREAM_USD_PER_MILLION',
  ]);
  const { AGENT_UPSTREAM_KEY: key, AGENT_UPSTREAM_URL: ownUrl, AGENT_UPSTREAM_MODEL: model } = values;
  if (key === undefined && ownUrl === undefined) return null;
  const url = ownUrl ?? OPENAI_URL;
  const prices = values.AGENT_UPSTREAM_USD_PER_MILLION ?? KNOWN_PRICES[`${url} ${model}`] ?? HIGHEST_PRICES;
  const [input, output] = prices.split('/').map(Number) as [number, number];
  return { url, key: key ?? '', model, usdPerMillion: { input_tokens: input, output_tokens: output } };
}
