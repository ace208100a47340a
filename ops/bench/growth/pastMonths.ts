import type { Client } from 'pg';

/** Divides an empty database from an earlier month on, as if it had been installed then. */
export async function beginMonths(owner: Client, month: string): Promise<void> {
  const { rows } = await owner.query<{ parent: string; name: string }>(`
    select i.inhparent::regclass::text as parent, c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('requests'::regclass, 'ledger_legs'::regclass) and c.relkind = 'r' and c.relname not like '%\\_rest'`);
  for (const { parent, name } of rows)
    await owner.query(`alter table ${parent} detach partition ${name}; drop table ${name}`);
  await owner.query('delete from ledger_months');
  const { rows: first } = await owner.query<{ id: string }>(
    `insert into ledger_months (month, first_id) values ($1::date, 'req_' || ledger_month_code($1::date::timestamp at time zone 'utc')) returning first_id as id`,
    [month],
  );
  for (const [table, id] of [
    ['requests', 'id'],
    ['ledger_legs', 'subject'],
  ])
    await owner.query(`
      alter table ${table}_rest drop constraint ${table}_of_no_month;
      alter table ${table}_rest add constraint ${table}_of_no_month check (${id} < '${first[0]!.id}' or ${id} >= 'req_zzzzzzzz');
      create table ${table}_later partition of ${table} for values from ('${first[0]!.id}') to ('req_zzzzzzzz')`);
  await owner.query(
    'create unique index ledger_legs_later_account_sequence_unique on ledger_legs_later (account_id, sequence)',
  );
  await owner.query(
    'create unique index requests_later_account_sequence_unique on requests_later (account_id, sequence) where account_id is not null',
  );
  for (const table of ['requests', 'ledger_legs'])
    await owner.query(
      `create statistics ${table}_later_statistics (dependencies) on workspace_id, account_id from ${table}_later`,
    );
  await owner.query('select ledger_open_months()');
}
