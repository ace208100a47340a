import type { Pool } from 'pg';

/** A plugin as its operator registered it. */
export interface RegisteredPlugin {
  id: string;
  version: string;
  url: string;
  headers: Record<string, string>;
}

/** The registered plugins that an agent names. Throws a sentence when one of them is not registered, or is switched off. */
export async function readPlugins(
  pool: Pool,
  wanted: { plugin_id: string; version: string }[],
): Promise<RegisteredPlugin[]> {
  if (wanted.length === 0) return [];
  const ids = wanted.map(({ plugin_id }) => plugin_id);
  const { rows } = await pool.query<RegisteredPlugin>(PLUGINS, [ids, wanted.map(({ version }) => version)]);
  if (rows.length < wanted.length) throw new Error(`not all of these plugins can be used: ${ids.join(', ')}`);
  return rows;
}

const PLUGINS = `
select p.id, p.version, p.url, p.headers from plugins p join unnest($1::text[], $2::text[]) w(id, version) using (id, version)
where p.disabled_at is null`;
