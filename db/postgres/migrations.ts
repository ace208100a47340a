import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { ensureLogin } from './login.ts';
import { openOwnersOrm } from './orm.ts';

/**
 * Applies pending migrations and changed rules of the ledger with the owner's login, and creates the application's login of
 * `applicationUrl` if it is a different one. Returns the names of everything applied. `isPooled`: a pooler serves the application.
 */
export async function migrate(
  url: string,
  applicationUrl = url,
  { isPooled = false }: { isPooled?: boolean } = {},
): Promise<string[]> {
  const orm = await openOwnersOrm(url, { lockTimeoutMs: LOCK_TIMEOUT_MS });
  try {
    await markBaseline(orm);
    const migrations = await withLocks(async () => (await orm.migrator.up()).map((migration) => migration.name));
    const rules = await withLocks(() => applyLedgerRules(orm));
    const logins = (await ensureLogin(url, applicationUrl, { isPooled })) ? ['login of the application'] : [];
    return [...migrations, ...rules, ...logins];
  } finally {
    await orm.close();
  }
}

// Every statement of the running release that needs the table waits behind a migration that waits for its lock.
const LOCK_TIMEOUT_MS = 3_000;
const LOCK_TRIES = 20;
const LOCK_PAUSE_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Repeats `work` while it does not get a lock in time. Completed parts stay. */
async function withLocks<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE || tries === LOCK_TRIES) throw error;
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

// The migrator wraps the database's error.
function sqlStateOf(error: unknown): string | undefined {
  const { code, cause } = error as { code?: string; cause?: unknown };
  return code ?? (cause === undefined ? undefined : sqlStateOf(cause));
}

const BASELINE = 'Migration20261125200000_baseline';
// The baseline creates the tables of these migrations, which were never released.
const MIGRATIONS_BEFORE = 74;

/** Marks the baseline as executed in a database that has the migrations before it. */
async function markBaseline({ migrator }: MikroORM): Promise<void> {
  const names = (await migrator.getExecuted()).map(({ name }) => name);
  const before = names.filter((name) => name < BASELINE).length;
  if (before === 0 || names.includes(BASELINE)) return;
  if (before < MIGRATIONS_BEFORE)
    throw new Error(`this database is older than ${BASELINE}: migrate it with commit b85d7470 first`);
  await migrator.logMigration(BASELINE);
}

const RULES_FOLDER = new URL('../ledger/sql/', import.meta.url);
// Locks out a second process that migrates at the same time. Any number, the same everywhere.
const RULES_LOCK = 7_212;

interface Rule {
  /** The function's name in the database: `ledger_` and the file's name. */
  functionName: string;
  sql: string;
  hash: string;
}

/**
 * Replaces the ledger's functions that differ from `db/ledger/sql/`, as the database's owner, in one transaction. The hash of the applied
 * text is the function's comment in the database. A change of a function's parameters or result also needs a migration that drops the old
 * function. Returns the names of the functions replaced.
 */
async function applyLedgerRules(orm: MikroORM): Promise<string[]> {
  const rules = await readRules();
  return orm.em.fork().transactional(async (em) => {
    const connection = em.getConnection();
    const run = (sql: string, params: unknown[] = []) =>
      connection.execute<Record<string, string>[]>(sql, params, 'all', em.getTransactionContext());
    await run('select pg_advisory_xact_lock(?)', [RULES_LOCK]);
    const rows = await run(
      `select p.proname as name, obj_description(p.oid, 'pg_proc') as hash from pg_proc p where p.pronamespace = 'public'::regnamespace`,
    );
    const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
    const changed = rules.filter(({ functionName, hash }) => applied.get(functionName) !== hash);
    // Functions may call each other: bodies of SQL functions are checked only when they run.
    if (changed.length > 0) await run('set local check_function_bodies = off');
    for (const { functionName, sql, hash } of changed) {
      await run(sql);
      await run(`comment on function ${functionName} is '${hash}'`);
    }
    return changed.map(({ functionName }) => functionName);
  });
}

async function readRules(): Promise<Rule[]> {
  const files = (await readdir(RULES_FOLDER)).filter((file) => file.endsWith('.sql')).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(new URL(file, RULES_FOLDER), 'utf8');
      return { functionName: `ledger_${file.slice(0, -'.sql'.length)}`, sql, hash: hash('sha256', sql, 'hex') };
    }),
  );
}
