import type { Queryable } from '../postgres/queryable.ts';
import type { SealingKeys } from './sealingKeys.ts';

/** A plugin as operators see it: of its headers, which may hold credentials, only the names. */
export interface PluginRecord {
  id: string;
  version: string;
  name: string;
  url: string;
  headerNames: string[];
  createdAt: Date;
  disabledAt: Date | null;
}

/** A plugin as the process that calls it needs it. */
export interface RegisteredPlugin {
  id: string;
  version: string;
  url: string;
  headers: Record<string, string>;
}

/** A plugin that an agent names is not registered, is switched off, or has a credential that cannot be decrypted. */
export class PluginUnusable extends Error {
  override readonly name = 'PluginUnusable';
}

/** The column `headers`: sealed values, or texts from before values were sealed. */
type StoredHeaders = Record<string, string | { sealed: string }>;
type StoredPlugin = Omit<RegisteredPlugin, 'headers'> & { headers: StoredHeaders };

/** Registers a plugin's version, or replaces what was registered before. Drafts may name it at once. */
export async function registerPlugin(
  pool: Queryable,
  keys: SealingKeys,
  plugin: { id: string; version: string; name: string; url: string; headers: Record<string, string> },
): Promise<void> {
  const { id, version, name, url } = plugin;
  await pool.query(REGISTER, [id, version, name, url, JSON.stringify(sealHeaders(keys, plugin))]);
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

/**
 * The registered plugins that an agent names, with their headers opened: for the process that calls them, never to be passed on.
 * Throws `PluginUnusable`.
 */
export async function readPlugins(
  pool: Queryable,
  keys: SealingKeys,
  wanted: { plugin_id: string; version: string }[],
): Promise<RegisteredPlugin[]> {
  if (wanted.length === 0) return [];
  const ids = wanted.map(({ plugin_id }) => plugin_id);
  const { rows } = await pool.query<StoredPlugin>(PLUGINS, [ids, wanted.map(({ version }) => version)]);
  if (rows.length < wanted.length)
    throw new PluginUnusable(`not all of these plugins are registered and on: ${ids.join(', ')}`);
  return rows.map((stored) => ({ ...stored, headers: openHeaders(keys, stored) }));
}

const PLUGINS = `
select p.id, p.version, p.url, p.headers from plugins p join unnest($1::text[], $2::text[]) w(id, version) using (id, version)
where p.disabled_at is null`;

/** Seals headers that are stored as texts; with `isRotation` those too that an older key sealed. Returns how many plugins it changed. */
export async function sealPlugins(
  pool: Queryable,
  keys: SealingKeys,
  { isRotation = false }: { isRotation?: boolean } = {},
): Promise<number> {
  const { rows } = await pool.query<StoredPlugin>('select id, version, url, headers from plugins order by id, version');
  let changed = 0;
  for (const stored of rows) {
    const isDue = (value: StoredHeaders[string]) =>
      typeof value === 'string' || (isRotation && !keys.isCurrent(value.sealed));
    if (!Object.values(stored.headers).some(isDue)) continue;
    const sealed = sealHeaders(keys, { ...stored, headers: openHeaders(keys, stored) });
    const { id, version, headers } = stored;
    const updated = await pool.query(SEAL, [id, version, JSON.stringify(headers), JSON.stringify(sealed)]);
    changed += updated.rows.length;
  }
  return changed;
}

// A plugin that was registered again in the meantime keeps its new headers.
const SEAL = `update plugins set headers = $4 where id = $1 and version = $2 and headers = $3::jsonb returning id`;

type Owner = { id: string; version: string };
const ownerOf = ({ id, version }: Owner, header: string) => JSON.stringify([id, version, header]);

function sealHeaders(keys: SealingKeys, plugin: Owner & { headers: Record<string, string> }): StoredHeaders {
  return Object.fromEntries(
    Object.entries(plugin.headers).map(([name, value]) => [name, { sealed: keys.seal(value, ownerOf(plugin, name)) }]),
  );
}

function openHeaders(keys: SealingKeys, plugin: StoredPlugin): Record<string, string> {
  return Object.fromEntries(
    Object.entries(plugin.headers).map(([name, value]) => {
      if (typeof value === 'string') return [name, value];
      try {
        return [name, keys.open(value.sealed, ownerOf(plugin, name))];
      } catch (cause) {
        const { message } = cause as Error;
        throw new PluginUnusable(`the header ${name} of the plugin ${plugin.id} ${plugin.version}: ${message}`, {
          cause,
        });
      }
    }),
  );
}
