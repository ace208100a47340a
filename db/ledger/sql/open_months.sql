-- Makes the partitions of the months up to p_ahead months from now, and returns how many. The last month has no end, so that no call is without
-- a partition: it gets one when the next month begins. As it is nearly always empty then, that takes milliseconds; with calls in it, they are
-- read. Waits half a second at most for calls under way, because others wait behind it: upkeep tries again.
-- A partition has rights, policies and rules of its own for nobody: all reads and writes go through its table.
create or replace function ledger_open_months(p_ahead int default 1) returns int language plpgsql security definer
set search_path = public, pg_temp set lock_timeout = '500ms' as $$
declare
  last ledger_months; next date; next_id text; base text; name text; one record; made int := 0;
begin
  perform pg_advisory_xact_lock(7215);
  loop
    select * into last from ledger_months order by month desc limit 1;
    exit when last.month >= (date_trunc('month', now(), 'UTC') at time zone 'utc')::date + p_ahead * interval '1 month';
    if made = 0 then lock table requests, ledger_legs in access exclusive mode; end if;
    next := last.month + interval '1 month';
    next_id := 'req_' || ledger_month_code(next::timestamp at time zone 'utc');
    foreach base in array array['requests', 'ledger_legs'] loop
      name := base || to_char(last.month, '_YYYY_MM');
      execute format('alter table %I detach partition %I', base, base || '_later');
      execute format('alter table %I rename to %I', base || '_later', name);
      for one in select i.indexrelid::regclass as index, c.relname from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = name::regclass loop
        execute format('alter index %s rename to %I', one.index, replace(one.relname, base || '_later', name));
      end loop;
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', base, name, last.first_id, next_id);
      execute format('create table %I partition of %I for values from (%L) to (''req_zzzzzzzz'')', base || '_later', base, next_id);
    end loop;
    create unique index ledger_legs_later_account_sequence_unique on ledger_legs_later (account_id, sequence);
    create unique index requests_later_account_sequence_unique on requests_later (account_id, sequence) where account_id is not null;
    foreach base in array array['requests', 'ledger_legs'] loop
      execute format('alter statistics %I rename to %I', base || '_later_statistics', base || to_char(last.month, '_YYYY_MM') || '_statistics');
      execute format('create statistics %I (dependencies) on workspace_id, account_id from %I', base || '_later_statistics', base || '_later');
    end loop;
    insert into ledger_months (month, first_id) values (next, next_id);
    made := made + 1;
  end loop;
  return made;
end
$$;
revoke execute on function ledger_open_months from public;
grant execute on function ledger_open_months to ledgerline_system;
-- At once in a new database; later, upkeep does it.
select ledger_open_months();
