import type { ConnectionsMax } from './pools.ts';
import type { Queryable } from './queryable.ts';

/** The connections of the database's server, and who may open how many. */
export interface ConnectionUse {
  /** The server's max_connections. */
  max: number;
  /** Of these, kept for superusers and reserved roles. */
  reserved: number;
  /** Open now, by every login and to every database of the server. */
  used: number;
  /** Open now, by login. */
  logins: Record<string, number>;
  /** The most for the application's login in this database: `max` without `reserved`, or a lower limit of the login or the database. */
  allowed: number;
  /** What live processes may open together, and how many they are. */
  claimed: number;
  processes: number;
}

/** `unknown`: what a process of an earlier release may open. */
export async function readConnectionUse(client: Queryable, unknown: number): Promise<ConnectionUse> {
  const { rows } = await client.query<ConnectionUse>({ name: 'connection_use', text: USE, values: [unknown] });
  return rows[0]!;
}

// Other columns of pg_stat_activity are only shown to the owner of a session. Walsenders, which have no database, do not count.
const USE = `
with server as (select current_setting('max_connections')::int as max, current_setting('superuser_reserved_connections')::int
    + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved),
  sessions as (select usename, count(*)::int as count from pg_stat_activity where usesysid is not null and datid is not null group by 1),
  live as (select coalesce(connections_max, $1) as max from processes
    where reaped_at is null and lease_until > clock_timestamp() and id <> 'runs')
select max, reserved, (select coalesce(sum(count), 0)::int from sessions) as used,
  (select coalesce(jsonb_object_agg(usename, count), '{}') from sessions) as logins,
  least(max - reserved, (select rolconnlimit from pg_roles where rolname = session_user and rolconnlimit >= 0),
    (select datconnlimit from pg_database where datname = current_database() and datconnlimit >= 0)) as allowed,
  (select coalesce(sum(live.max), 0)::int from live) as claimed, (select count(*)::int from live) as processes
from server`;

/** The connections of this process: how many it may open, and a look at its server. */
export interface Connections {
  max: ConnectionsMax;
  read(): Promise<ConnectionUse>;
}

interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Says at the start of a process how many connections it may open and what its server allows; warns when all live processes may open more.
 * @throws a sentence when the server can never serve `processes` processes like this one.
 */
export async function checkConnections(
  connections: Connections,
  { processes, log }: { processes: number; log: Log },
): Promise<void> {
  const { direct, pooled } = connections.max;
  const use = await connections.read();
  const fields = { event: 'connections', direct, pooled, ...use };
  const server = `the server lets the application open ${use.allowed} (max_connections ${use.max}), and ${use.used} are open`;
  const own = direct * processes;
  if (own > use.allowed) {
    const who = processes === 1 ? 'this process' : `${processes} processes`;
    throw new Error(`${who} may open ${own} connections, but ${server}: ${ADVICE}`);
  }
  const claims = `this process may open ${direct} connections, the ${use.processes} live processes together ${use.claimed}`;
  if (use.claimed > use.allowed) log.warn(fields, `${claims}, but ${server}: ${ADVICE}`);
  else log.info(fields, `${claims}; ${server}`);
}

const ADVICE =
  'raise max_connections, lower DATABASE_CONNECTIONS_MAX or DATABASE_READ_CONNECTIONS_MAX, run fewer processes, or put PgBouncer before it';
