import { Migration } from '@mikro-orm/migrations';

/**
 * Divides calls and entries by months. The present tables become the partitions of all that is of no month, as they are: nothing is copied or
 * read. Columns of a fixed length come first in the new ones, so that none of their bytes are padding.
 */
export class Migration20261127030020_partitions extends Migration {
  override name = 'Migration20261127030020_partitions';

  override up(): void {
    this.addSql('lock table requests, ledger_entries in access exclusive mode');
    for (const table of ['requests', 'ledger_entries']) this.addSql(setAside(table));
    // The table of all partitions gets it again.
    this.addSql('drop trigger product_of_earlier on requests_rest');
    this.addSql('drop index requests_rest_workspace_index');
    this.addSql(`alter table ledger_entries_rest drop constraint ledger_entries_rest_pkey,
      add constraint ledger_entries_rest_pkey primary key using index ledger_entries_rest_subject_kind`);
    this.addSql(REQUESTS);
    this.addSql(ENTRIES);
    for (const table of ['requests', 'ledger_entries']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(
        `create policy tenant on ${table} for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
      );
      this.addSql(`grant select on ${table} to ledgerline_tenant`);
      this.addSql(later(table));
      // Only their table's rights apply: no role reads or writes a partition by its own name.
      this.addSql(`revoke all on ${table}_rest from ledgerline_tenant, ledgerline_system`);
    }
    this.addSql('grant select, insert, update, delete on requests to ledgerline_system');
    this.addSql('grant select, insert on ledger_entries to ledgerline_system');
    this.addSql(POLICIES);
    // Functions of the owner follow the hash chains.
    this.addSql('create policy keeper on ledger_entries for select to current_user using (true)');
    this.addSql(
      'create unique index ledger_entries_later_account_sequence_unique on ledger_entries_later (account_id, sequence)',
    );
    // As of the present table: an account has one workspace, and so more entries than the planner would think.
    this.addSql(
      'create statistics ledger_entries_later_statistics (dependencies) on workspace_id, account_id from ledger_entries_later',
    );
    // Functions that are in use have variables of the tables' types: they are read again.
    this.addSql(READ_AGAIN);
  }
}

/** Renames a table with all that has its name. Its statements' locks end with this transaction, within milliseconds. */
const setAside = (table: string) => `
do $$
declare
  one record;
begin
  execute 'alter table ${table} rename to ${table}_rest';
  for one in select conname as name from pg_constraint where conrelid = '${table}_rest'::regclass and contype in ('p', 'u') loop
    execute format('alter table ${table}_rest rename constraint %I to %I', one.name, replace(one.name, '${table}_', '${table}_rest_'));
  end loop;
  for one in select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = '${table}_rest'::regclass and c.relname not like '${table}\\_rest\\_%'
  loop
    execute format('alter index %I rename to %I', one.name, replace(one.name, '${table}_', '${table}_rest_'));
  end loop;
  for one in select stxname as name from pg_statistic_ext where stxrelid = '${table}_rest'::regclass loop
    execute format('alter statistics %I rename to %I', one.name, replace(one.name, '${table}_', '${table}_rest_'));
  end loop;
end $$`;

const REQUESTS = `
create table requests (
  cost_nanos bigint not null, written_off_nanos bigint not null, hold_nanos bigint not null, started_at timestamptz not null,
  settled_at timestamptz not null default now(), status int not null, duration_ms int not null, stream_bytes int not null,
  cancelled boolean not null, provisional boolean not null default false, attempts smallint, first_byte_ms int, cached_tokens int,
  reasoning_tokens int, id text not null, workspace_id text not null, key_id text not null, route text not null, model text not null,
  product text not null, usage jsonb not null, upstream text, finish_reason text, price_id text, project_id text,
  constraint requests_pkey primary key (id),
  constraint requests_product_check check (
    product in ('text', 'embeddings', 'speech', 'transcription', 'voice_conversion', 'realtime', 'batch'))
) partition by range (id);
create index requests_age_index on requests using brin (settled_at);
create index requests_failed_index on requests (workspace_id, settled_at desc, id desc) where status >= 400;
create index requests_unbilled_index on requests (settled_at) where cost_nanos = 0;
create index requests_settled_index on requests (workspace_id, settled_at);
create index requests_written_off_index on requests (settled_at) where written_off_nanos > 0;
create trigger product_of_earlier before insert on requests for each row
  when (new.product is null) execute function product_of_earlier_call();
alter table requests attach partition requests_rest default;`;

const ENTRIES = `
create table ledger_entries (
  transaction_id bigint not null, amount_nanos bigint not null, sequence bigint, balance_after_nanos bigint,
  created_at timestamptz not null default now(), leg int not null, hash_version smallint, kind text not null, subject text not null,
  account_id text not null, workspace_id text, key_id text, hash bytea,
  constraint ledger_entries_pkey primary key (subject, kind)
) partition by range (subject);
create index ledger_entries_beside_index on ledger_entries (workspace_id, transaction_id) where kind in ('earning', 'absorbed');
create index ledger_entries_changes_index on ledger_entries (workspace_id, created_at) where kind in ('refund', 'correction');
alter table ledger_entries attach partition ledger_entries_rest default;
create statistics ledger_entries_account_statistics (dependencies) on workspace_id, account_id from ledger_entries;
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function ledger_refuse_change();
create trigger ledger_entries_balanced after insert on ledger_entries
  referencing new table as fresh for each statement execute function ledger_refuse_unbalanced();`;

const later = (table: string) => `
do $$ begin
  execute format('create table ${table}_later partition of ${table} for values from (%L) to (''req_zzzzzzzz'')',
    (select first_id from ledger_months));
end $$`;

const POLICIES = `
create policy unbilled on requests as restrictive for delete to ledgerline_system using (
  cost_nanos = 0 and written_off_nanos = 0 and not provisional and not exists (
    select from ledger_entries e where e.subject = requests.id and e.kind in ('debit', 'correction', 'write_off correction')));
create policy projects on requests as restrictive for select to ledgerline_tenant using (
  case when (select coalesce(current_setting('app.project_ids', true), '')) = '' then true
    else coalesce(project_id = any (string_to_array((select coalesce(current_setting('app.project_ids', true), '')), ',')), false) end);`;

const READ_AGAIN = `
do $$
declare
  one regprocedure;
begin
  for one in select p.oid from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace and l.lanname = 'plpgsql' and p.prokind = 'f'
  loop
    execute format('alter function %s cost 100', one);
  end loop;
end $$`;
