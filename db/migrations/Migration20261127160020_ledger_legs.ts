import { Migration } from '@mikro-orm/migrations';

/**
 * `ledger_entries` is all entries, as before: a view of the legs that have rows of their own, which `ledger_legs` has from now on, and of the
 * calls' rows. It has no condition of its own, so that it is planned like a divided table, by indexes of each part: a call that was not
 * charged is a row without a kind, account or amount.
 */
export class Migration20261127160020_ledger_legs extends Migration {
  override name = 'Migration20261127160020_ledger_legs';

  override up(): void {
    this.addSql('lock table requests, ledger_entries in access exclusive mode');
    this.addSql(RENAMED);
    this.addSql(ENTRIES);
    this.addSql(STATISTICS);
    this.addSql('grant select on ledger_entries to ledgerline_tenant, ledgerline_system');
    this.addSql(POLICIES);
    this.addSql(TRIGGERS);
    this.addSql(READ_AGAIN);
  }
}

const RENAMED = `
do $$
declare
  one record;
begin
  for one in select c.oid::regclass as name, replace(c.relname, 'ledger_entries', 'ledger_legs') as new, c.relkind in ('i', 'I') as is_index from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'i', 'I') and starts_with(c.relname, 'ledger_entries')
  loop
    execute format('alter %s %s rename to %I', case when one.is_index then 'index' else 'table' end, one.name, one.new);
  end loop;
  for one in select stxname as name from pg_statistic_ext where starts_with(stxname, 'ledger_entries') loop
    execute format('alter statistics %I rename to %I', one.name, replace(one.name, 'ledger_entries', 'ledger_legs'));
  end loop;
  for one in select conrelid::regclass as "table", conname as name from pg_constraint where starts_with(conname, 'ledger_entries')
    and conparentid = 0 and contype = 'c' loop
    execute format('alter table %s rename constraint %I to %I', one.table, one.name, replace(one.name, 'ledger_entries', 'ledger_legs'));
  end loop;
  for one in select tgname as name from pg_trigger where tgrelid = 'ledger_legs'::regclass and starts_with(tgname, 'ledger_entries') loop
    execute format('alter trigger %I on ledger_legs rename to %I', one.name, replace(one.name, 'ledger_entries', 'ledger_legs'));
  end loop;
end $$`;

const ENTRIES = `
create view ledger_entries with (security_invoker = true) as
select transaction_id, amount_nanos, sequence, balance_after_nanos, created_at, leg, hash_version, kind, subject, account_id, workspace_id,
  key_id, hash from ledger_legs
union all
select transaction_id, -debited_nanos as amount_nanos, sequence, balance_after_nanos, settled_at as created_at, leg, 2::smallint as hash_version,
  case when sequence is not null then 'debit' else null end as kind, id as subject, account_id, workspace_id, key_id, hash from requests`;

// An account has one workspace, and so more entries than the planner would think.
const STATISTICS = `
do $$
declare
  one text;
begin
  for one in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'requests'::regclass loop
    execute format('create statistics %I (dependencies) on workspace_id, account_id from %I', one || '_statistics', one);
  end loop;
end $$`;

// As a function, the tenant's condition needs no index: statements state the workspace themselves, or an account or id, and the planner would
// take the two for independent and expect hardly any rows.
const POLICIES = `
create policy keeper on requests for select to current_user using (true);
alter policy tenant on requests using (texteq(workspace_id, current_setting('app.workspace_id')));
alter policy unbilled on requests using (
  cost_nanos = 0 and written_off_nanos = 0 and not provisional and sequence is null and not exists (
    select from ledger_legs e where e.subject = requests.id and e.kind in ('debit', 'correction', 'write_off correction')));`;

const TRIGGERS = `
create function ledger_refuse_unmatched() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger requests_matched after insert on requests
  referencing new table as fresh for each statement execute function ledger_refuse_unmatched();
create trigger requests_debit_final before update of id, workspace_id, key_id, settled_at, transaction_id, leg, account_id, debited_nanos,
  sequence, balance_after_nanos, hash on requests for each row when (old.sequence is not null) execute function ledger_refuse_change();
create trigger requests_debit_kept after delete on requests for each row when (old.sequence is not null) execute function ledger_refuse_change();
create trigger requests_not_truncated before truncate on requests for each statement execute function ledger_refuse_change();`;

// Functions that are in use write to the table, until they are replaced after this; and their variables of the tables' types are read again.
const READ_AGAIN = `
do $$
declare
  one record;
begin
  for one in select p.oid::regprocedure as name, p.oid, p.prosrc from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace and l.lanname = 'plpgsql' and p.prokind = 'f'
  loop
    if one.prosrc like '%insert into ledger_entries%' then
      execute replace(pg_get_functiondef(one.oid), 'insert into ledger_entries', 'insert into ledger_legs');
    else
      execute format('alter function %s cost 100', one.name);
    end if;
  end loop;
end $$`;
