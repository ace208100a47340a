import { escapeIdentifier, escapeLiteral, type Client, type Pool } from 'pg';

export const SYSTEM_ROLE = 'ledgerline_system';

// A machine cut off in a transaction keeps its locks until then: for less time than others' statements wait for them.
const LIMITS = { statement_timeout: '5000', idle_in_transaction_session_timeout: '2000' };
// The ledger's statements look up rows by key, from arrays. A custom plan would be made again for each array, and a plan made while a table
// was small scans the table for as long as it is cached: so plans are generic and use indexes.
const PLANNING = {
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};
// Days and months are those of UTC, whatever zone the server, the database or the login has.
const ZONE = { TimeZone: 'UTC' };
// `synchronous_commit` overrides the server's setting: an answer is sent once its bill is on disk.
const SESSION = { role: SYSTEM_ROLE, ...ZONE, ...LIMITS, ...PLANNING, synchronous_commit: 'on' };

const optionsOf = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** The settings of connections, as options of their start. */
export const OPTIONS = {
  main: optionsOf(SESSION),
  // Batches are on disk before they are posted, so a posting lost in a crash is repeated.
  posting: optionsOf({ ...SESSION, synchronous_commit: 'off' }),
  reading: optionsOf({ role: SYSTEM_ROLE, ...ZONE, ...LIMITS }),
  listening: optionsOf({ role: SYSTEM_ROLE }),
};

/** SQL: a transaction over a connection with the settings of `main` is planned as one with those of `reading`. */
export const PLAN_AS_READER = Object.keys(PLANNING)
  .filter((name) => name !== 'jit')
  .map((name) => `; set local ${name} = ${name === 'plan_cache_mode' ? 'auto' : 'on'}`)
  .join('');

/**
 * Stores the settings of `main` with the application's login, for this database: a pooler in transaction mode passes no options of a
 * connection's start on, and sessions that it opens begin with these. Returns whether anything changed.
 */
export async function storeSettings(owner: Client, login: string): Promise<boolean> {
  const { rows } = await owner.query<{ stored: string[]; database: string }>(STORED, [login]);
  const { stored, database } = rows[0]!;
  const missing = Object.entries(SESSION).filter(([name, value]) => !stored.includes(`${name}=${value}`));
  for (const [name, value] of missing)
    await owner.query(
      `alter role ${escapeIdentifier(login)} in database ${escapeIdentifier(database)} set ${name} = ${escapeLiteral(value)}`,
    );
  return missing.length > 0;
}

const STORED = `
select current_database() as database, coalesce((select s.setconfig from pg_db_role_setting s
  join pg_roles r on r.oid = s.setrole join pg_database d on d.oid = s.setdatabase
  where r.rolname = $1 and d.datname = current_database()), '{}') as stored`;

/**
 * Throws a sentence when sessions behind the pooler lack the stored settings: before the migration that stores them, or in connections that
 * the pooler opened earlier.
 */
export async function requireStoredSettings(pool: Pool): Promise<void> {
  const names = Object.keys(SESSION);
  const { rows } = await pool.query<{ name: string; value: string }>(
    `select n as name, current_setting(n) as value from unnest($1::text[]) n`,
    [names],
  );
  const wanted: Record<string, string> = {
    ...SESSION,
    statement_timeout: '5s',
    idle_in_transaction_session_timeout: '2s',
  };
  const wrong = rows.filter(({ name, value }) => wanted[name] !== value).map(({ name }) => name);
  if (wrong.length === 0) return;
  throw new Error(
    `DATABASE_URL is behind a pooler, whose sessions lack settings of the application's login (${wrong.join(', ')}): ` +
      'run npm run migrate with DATABASE_DIRECT_URL set, then RECONNECT at the pooler',
  );
}
