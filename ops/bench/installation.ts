import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database } from '../../db/database.ts';
import { createSealingKey } from '../../db/sealing/sealingKeys.ts';
import { createKey } from '../../db/keys/keyStore.ts';
import { createWorkspace } from '../../db/workspaces/workspaces.ts';
import { MEMORY_ENVIRONMENT } from '../stack/config.ts';
import { runCommand } from '../stack/process/program.ts';
import { startPostgres } from '../stack/postgres.ts';
import { createDatabaseMeter } from './databaseMeter.ts';
import { BENCH_MODEL } from './load.ts';
import {
  OTHER_CORE,
  SERVER_CORE,
  startProcess,
  startServer,
  type RunningProcess,
  type RunningServer,
} from './servers.ts';

export type Installation = Awaited<ReturnType<typeof createInstallation>>;

const root = join(import.meta.dirname, '..', '..');

// As the stack starts them.
const MEMORY_FLAGS = ['--max-semi-space-size=16'];

// More than any run can spend, and limits that are checked but never reached.
const CREDIT_NANOS = 1_000_000_000_000_000n;
const LIMITS = { rpmLimit: 1_000_000_000, concurrencyLimit: 10_000 };

/** A temporary installation: PostgreSQL (fsync on) with one workspace and one key, and functions that start servers on it. */
export async function createInstallation() {
  const folder = await mkdtemp(join(tmpdir(), 'ledgerline-bench-'));
  await chmod(folder, 0o755);
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), log: () => {} });
  await runCommand(['db/migrate.ts'], root, {
    DATABASE_URL: postgres.applicationUrl,
    MIGRATION_DATABASE_URL: postgres.url,
  });
  let isClosing = false;
  // PostgreSQL may break connections while both are closing.
  const logError = (error: unknown): void => void (isClosing || console.error(error));
  const db = await openDatabase({ url: postgres.applicationUrl, spends: false, onError: logError });
  const account = await createSpender(db);
  const close = async (): Promise<void> => {
    isClosing = true;
    await db.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const place = { folder, databaseUrl: postgres.localUrl };
  const { username, password } = new URL(postgres.url);
  const ownerUrl = Object.assign(new URL(postgres.localUrl), { username, password }).href;
  return {
    folder,
    db,
    postgres,
    ...account,
    database: createDatabaseMeter(db, postgres.pid),
    startUpstream: (delayMs: number) => startUpstream(folder, { delayMs, core: OTHER_CORE }),
    /** The same upstream, not pinned to a core. */
    startFreeUpstream: () => startUpstream(folder, { delayMs: 0 }),
    /** An upstream whose chunks tell when they were sent. */
    startStamped: () =>
      startServer({ name: 'stamped', args: ['ops/bench/stampedUpstream.ts'], core: OTHER_CORE, folder }),
    /** A scripted upstream that answers at once; it is not pinned to a core. */
    startScripted: () => startServer({ name: 'scripted', args: ['rules/scripted/main.ts'], folder }),
    startApi: (upstreamUrl: string, env: Settings = {}) => startApi(place, { upstreamUrl, core: SERVER_CORE, env }),
    /** An API with Temporal, and a worker: not pinned to a core. */
    startApiOfRuns: (upstreamUrl: string, temporalAddress: string) => startApi(place, { upstreamUrl, temporalAddress }),
    startWorker: (upstreamUrl: string, temporalAddress: string, env: Settings = {}) =>
      startWorker(place, { upstreamUrl, temporalAddress, env }),
    startProxy: (name: 'rawHttp' | 'bareKoa' | 'durableKoa', upstreamUrl: string) =>
      startServer({
        name,
        args: ['ops/bench/proxy.ts', name, upstreamUrl, ownerUrl],
        core: SERVER_CORE,
        folder,
      }),
    close,
  };
}

/** A workspace with credit, by default for any run, and its key. */
export async function createSpender(db: Database, creditNanos = CREDIT_NANOS) {
  const workspaceId = await createWorkspace(db.everywhere, 'bench');
  const topup = { kind: 'topup', subject: workspaceId, workspaceId, houseAccountId: 'payments' };
  await db.ledger.transfer({ ...topup, amountNanos: creditNanos });
  const { id: keyId, secret } = await createKey(db.everywhere, {
    workspaceId,
    name: 'bench',
    scopes: ['llm', 'agents', 'batch'],
    ...LIMITS,
  });
  const { rows } = await db.pool.query('select id from accounts where workspace_id = $1', [workspaceId]);
  return { workspaceId, keyId, secret, accountId: rows[0].id as string };
}

function startUpstream(folder: string, { delayMs, core }: { delayMs: number; core?: number }): Promise<RunningServer> {
  const args = ['rules/scripted/main.ts', '--fixed', '--delay-ms', String(delayMs)];
  return startServer({ name: 'upstream', args, core, folder });
}

/** Environment variables. */
type Settings = Record<string, string>;

interface Place {
  folder: string;
  databaseUrl: string;
}

async function startApi(
  place: Place,
  order: { upstreamUrl: string; temporalAddress?: string; core?: number; env?: Settings },
): Promise<RunningServer> {
  const { upstreamUrl, temporalAddress, core } = order;
  const env = { ...(await environmentOf(place, upstreamUrl, temporalAddress)), PORT: '0', ...order.env };
  const args = [...MEMORY_FLAGS, 'api/main.ts'];
  return startServer({ name: 'ledgerline', args, env, core, folder: place.folder });
}

async function startWorker(
  place: Place,
  { upstreamUrl, temporalAddress, env: more }: { upstreamUrl: string; temporalAddress: string; env: Settings },
): Promise<RunningProcess> {
  const common = await environmentOf(place, upstreamUrl, temporalAddress);
  const env = { ...common, PLUGIN_SECRETS_KEY: createSealingKey(), ...more };
  const args = [...MEMORY_FLAGS, 'worker/main.ts'];
  return startProcess({ name: 'worker', args, env, folder: place.folder }, 'working');
}

async function environmentOf({ folder, databaseUrl }: Place, upstreamUrl: string, temporalAddress?: string) {
  const catalogFile = join(folder, `catalog-${new URL(upstreamUrl).port}.json`);
  await writeFile(catalogFile, JSON.stringify(catalogOf(`${upstreamUrl}/v1`)));
  const common = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, 'data'),
    MODEL_CATALOG_FILE: catalogFile,
    LOG_LEVEL: 'info',
    EMBEDDED_ENGINES: 'basic',
  };
  // With the same options as the stack.
  const NODE_COMPILE_CACHE = join(folder, 'compile-cache');
  return {
    NODE_COMPILE_CACHE,
    ...MEMORY_ENVIRONMENT,
    ...common,
    ...(temporalAddress !== undefined && { TEMPORAL_ADDRESS: temporalAddress }),
  };
}

function catalogOf(baseUrl: string) {
  const model = {
    id: BENCH_MODEL,
    kind: 'text',
    aliases: [],
    created: 1_761_955_200,
    contextTokens: 8192,
    outputTokensMax: 4096,
    upstreams: [{ upstream: 'main', model: 'scripted' }],
    usdPerMillion: { input_tokens: 0.3, output_tokens: 2.5 },
  };
  return { upstreams: { main: { baseUrl } }, models: [model] };
}
