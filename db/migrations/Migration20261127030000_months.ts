import { Migration } from '@mikro-orm/migrations';

/**
 * The months of calls and their entries, and what is left of a month whose rows were dropped. Ids of calls begin with their time: the rows of
 * a month are those from `first_id` up to the next month's. The last month has no end yet. A row that is of no month stays where it is.
 */
export class Migration20261127030000_months extends Migration {
  override name = 'Migration20261127030000_months';

  override up(): void {
    this.addSql(MONTHS);
    this.addSql(CARRIED);
    for (const table of ['ledger_months', 'ledger_carried', 'ledger_carried_ranges']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      // The functions that change these tables run as their owner.
      this.addSql(`create policy keeper on ${table} to current_user using (true) with check (true)`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(`grant select on ${table} to ledgerline_system`);
    }
    this.addSql(FIRST_MONTH);
    // With these, PostgreSQL need not read the present rows when it attaches them beside the months.
    this.addSql(OF_NO_MONTH('requests', 'id'));
    this.addSql(OF_NO_MONTH('ledger_entries', 'subject'));
  }

  override down(): void {
    this.addSql('alter table requests drop constraint requests_of_no_month');
    this.addSql('alter table ledger_entries drop constraint ledger_entries_of_no_month');
    this.addSql('drop table ledger_months, ledger_carried, ledger_carried_ranges');
  }
}

const MONTHS = `
create table ledger_months (
  month date primary key, first_id text not null, state text not null default 'open', calls bigint, entries bigint, transactions bigint,
  numbered bigint, charged_nanos bigint, sums jsonb, sealed_at timestamptz, proof jsonb, archived_at timestamptz, dropped_at timestamptz,
  constraint ledger_months_first_id_unique unique (first_id),
  constraint ledger_months_state_check check (state in ('open', 'sealed', 'archived', 'dropped'))
);`;

// Of dropped months: what the entries of each account sum to, what was billed to each key by day and to each project; and which numbers of
// each account they had.
const CARRIED = `
create table ledger_carried (
  kind text not null, id text not null, day date not null default '2000-01-01', nanos bigint not null, entries bigint not null,
  primary key (kind, id, day), constraint ledger_carried_kind_check check (kind in ('account', 'key', 'project'))
);
create table ledger_carried_ranges (
  account_id text not null, first_sequence bigint not null, last_sequence bigint not null, before_nanos bigint not null,
  after_nanos bigint not null, before_hash bytea, after_hash bytea not null, primary key (account_id, first_sequence)
);`;

// A database without calls begins with the present month; in others, the last release still writes for a while.
const FIRST_MONTH = `
do $$
declare
  first date := date_trunc('month', now(), 'UTC') at time zone 'utc';
  ms bigint;
  code text := '';
begin
  if exists (select from requests) or exists (select from ledger_entries) then
    first := date_trunc('month', now() + interval '2 days', 'UTC') at time zone 'utc';
    first := first + interval '1 month';
  end if;
  ms := extract(epoch from first::timestamp at time zone 'utc') * 1000;
  for place in 1..8 loop
    code := substr('0123456789abcdefghijklmnopqrstuvwxyz', (ms % 36)::int + 1, 1) || code;
    ms := ms / 36;
  end loop;
  insert into ledger_months (month, first_id) values (first, 'req_' || code);
end $$`;

const OF_NO_MONTH = (table: string, id: string) => `
do $$ begin
  execute format('alter table ${table} add constraint ${table}_of_no_month check (${id} < %L or ${id} >= ''req_zzzzzzzz'') not valid',
    (select first_id from ledger_months));
end $$`;
