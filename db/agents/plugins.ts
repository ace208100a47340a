import type { Queryable } from '../postgres/queryable.ts';

/** A plugin as operators see it. What is sent with its calls may be a credential: only the names of those headers are told. */
export interface PluginRecord {
  id: string;
  version: string;
  name: string;
  url: string;
  headerNames: string[];
  createdAt: Date;
  disabledAt: Date | null;
}

/** Registers a plugin's version, or puts what is told now in the place of what was registered before. It can be named by drafts at once. */
export async function registerPlugin(
  pool: Queryable,
  plugin: { id: string; version: string; name: string; url: string; headers: Record<string, string> },
): Promise<void> {
  const { id, version, name, url, headers } = plugin;
  await pool.query(REGISTER, [id, version, name, url, JSON.stringify(headers)]);
}

const REGISTER = `
insert into plugins (id, version, name, url, headers) values ($1, $2, $3, $4, $5)
on conflict (id, version) do update
  set name = excluded.name, url = excluded.url, headers = excluded.headers, disabled_at = null`;

/** All plugins, by id and version. */
export async function listPlugins(pool: Queryable): Promise<PluginRecord[]> {
  const { rows } = await pool.query<PluginRecord>(LIST);
  return rows;
}

const LIST = `
select id, version, name, url, array(select jsonb_object_keys(headers) order by 1) as "headerNames", created_at as "createdAt",
  disabled_at as "disabledAt"
from plugins order by id, version`;

/** Switches a version off: no draft may name it, and runs of agents that do are refused its tools. False: it is not there, or off already. */
export async function disablePlugin(pool: Queryable, plugin: { id: string; version: string }): Promise<boolean> {
  const { rows } = await pool.query(DISABLE, [plugin.id, plugin.version]);
  return rows.length > 0;
}

const DISABLE = `update plugins set disabled_at = now() where id = $1 and version = $2 and disabled_at is null returning id`;
