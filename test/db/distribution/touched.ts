import type { Client } from 'pg';

/** Makes the database note which workspaces each of its transactions writes rows of, in which table. */
export async function noteTouched(owner: Client): Promise<void> {
  await owner.query(NOTES);
  const { rows } = await owner.query<{ table: string; workspace: string }>(TABLES);
  for (const { table, workspace } of rows)
    await owner.query(`create trigger touched after insert or update or delete on ${table}
      for each row execute function note_touched('${table}', '${workspace}')`);
}

/**
 * The transactions of more than one workspace since the last call, each once: `caller: holds, runs; publisher: ledger_entries`. `names`:
 * of the workspaces, by their ids.
 */
export async function crossingsOf(owner: Client, names: Record<string, string>): Promise<string[]> {
  const { rows } = await owner.query<{ tables: Record<string, string[]> }>(CROSSINGS);
  await owner.query('truncate touched');
  return [...new Set(rows.map(({ tables }) => textOf(tables, names)))].toSorted();
}

function textOf(tables: Record<string, string[]>, names: Record<string, string>): string {
  const parts = Object.entries(tables).map(([id, of]) => `${names[id] ?? 'another'}: ${of.toSorted().join(', ')}`);
  return parts.toSorted().join('; ');
}

// Not a table of the product: it is in a schema of its own.
const NOTES = `
create schema notes;
grant usage on schema notes to public;
create table notes.touched (transaction xid8 not null, table_name text not null, workspace_id text not null);
grant insert on notes.touched to public;
set search_path = public, notes;
create function note_touched() returns trigger language plpgsql security definer as $$
begin
  insert into notes.touched
  select pg_current_xact_id(), tg_argv[0], w.id from (
    select distinct id from unnest(array[to_jsonb(new) ->> tg_argv[1], to_jsonb(old) ->> tg_argv[1]]) id) w where w.id is not null;
  return null;
end $$`;

const TABLES = `
select c.relname as table, case c.relname when 'workspaces' then 'id' else 'workspace_id' end as workspace from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and (c.relname = 'workspaces' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id'))`;

const CROSSINGS = `
select jsonb_object_agg(workspace_id, tables) as tables from (
  select transaction, workspace_id, jsonb_agg(distinct table_name) as tables from touched group by 1, 2) t
group by transaction having count(*) > 1`;
