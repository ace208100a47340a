import { Client } from 'pg';
import { openDatabase, type Database } from '../../db/database.ts';
import type { FileStore } from '../../db/objects/objectStore.ts';
import { migrate } from '../../db/postgres/migrations.ts';

const TEMPLATE = 'ledgerline_template';
// An arbitrary number: the process that holds this advisory lock creates the template.
const TEMPLATE_LOCK = 7_211;

// The roles of every test server; the first migration of the template creates them.
const LOGIN = { username: 'ledgerline_app', password: 'of-tests' };

/** A separate migrated database for one test file. Returns its address with the application's login, and a function that removes it. */
export async function makeDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL!;
  const name = `test_${process.pid}_${Date.now().toString(36)}_${Math.floor(Math.random() * 1e6)}`;
  await withClient(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await ensureTemplate(client, server);
    // Costs half as much as the default, which writes each page to the log.
    await client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  });
  const drop = () => withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`));
  return { url: applicationUrlOf(addressOf(server, name)), drop: async () => void (await drop()) };
}

/** A database with all parts opened. Background errors are collected, for tests that expect some. */
export async function openTestDatabase(options: {
  url: string;
  directUrl?: string;
  fileStore?: FileStore | undefined;
  spends?: boolean;
}): Promise<Database & { errors: unknown[] }> {
  const errors: unknown[] = [];
  const db = await openDatabase({
    url: options.directUrl === undefined ? patient(options.url) : options.url,
    directUrl: options.directUrl,
    fileStore: options.fileStore,
    spends: options.spends ?? true,
    // A machine that runs all tests may stall for seconds.
    readWaitMs: 60_000,
    onError: (error) => errors.push(error),
  });
  return { ...db, ledger: { ...db.ledger, settle: settleAndPost(db) }, errors };
}

/** Both, for a test file that needs only one. Closing it also removes the database. */
export async function setTestDatabase({ spends }: { spends?: boolean } = {}) {
  const database = await makeDatabase();
  const { url } = database;
  const db = await openTestDatabase({ url, spends });

  async function close(): Promise<void> {
    await db.close();
    await database.drop();
  }

  return { ...db, url, close };
}

/** Settles, and waits until the ledger has it, because a test reads it at once. */
function settleAndPost({ ledger }: Database): Database['ledger']['settle'] {
  return async (held, bill) => {
    const chargedNanos = await ledger.settle(held, bill);
    await ledger.posted();
    return chargedNanos;
  };
}

async function ensureTemplate(client: Client, server: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [TEMPLATE]);
  if (rowCount) return;
  await client.query(`create database ${TEMPLATE}`);
  const template = addressOf(server, TEMPLATE);
  await migrate(template, applicationUrlOf(template));
}

/** The same database with the owner's login, which has more rights than the platform's roles. */
export function ownerUrlOf(url: string): string {
  const { username, password } = new URL(process.env.TEST_DATABASE_URL!);
  return Object.assign(new URL(url), { username, password }).href;
}

/** A process of tests may stand still within a transaction for longer than the platform lets one be idle. */
function patient(url: string): string {
  const address = new URL(url);
  address.searchParams.set('idle_in_transaction_session_timeout', '60000');
  return address.href;
}

const applicationUrlOf = (url: string) => Object.assign(new URL(url), LOGIN).href;

/** Runs `work` over one connection, and closes it. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function addressOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  // A busy machine may take long to open another connection.
  url.searchParams.set('connect_timeout', '60');
  return url.href;
}
