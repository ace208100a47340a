-- The part of `seal_month` that needs the rights of the tables' owner: refuses every later change of a month's rows, and writes down their
-- numbers and sums. False: it was done before.
create or replace function ledger_freeze_month(p_month date) returns boolean language plpgsql security definer
set search_path = public, pg_temp set lock_timeout = '500ms' as $$
declare
  m ledger_months; one text; calls text := 'requests' || to_char(p_month, '_YYYY_MM'); legs text := 'ledger_legs' || to_char(p_month, '_YYYY_MM');
  entries text := ledger_entries_of(calls, legs); broken bigint;
begin
  perform pg_advisory_xact_lock(7215);
  select * into m from ledger_months where month = p_month;
  if not found then raise exception 'there is no month %', p_month; end if;
  if m.state <> 'open' then return false; end if;
  if now() < (p_month + interval '1 month 2 days') at time zone 'utc' or not exists (select from ledger_months where month > p_month) then
    raise exception 'the month % has not ended two days ago', p_month;
  end if;
  -- Those who write to the month end first; nobody begins. They write to the legs first.
  execute format('lock table %I, %I in share row exclusive mode', legs, calls);
  execute format('select count(*) from (select transaction_id from %s e group by 1 having sum(amount_nanos) <> 0) t', entries) into broken;
  if broken > 0 then raise exception '% transactions of the month % do not sum to zero', broken, p_month; end if;
  foreach one in array array[calls, legs] loop
    execute format('create trigger sealed before insert or update or delete on %I for each row execute function ledger_refuse_sealed()', one);
    execute format('create trigger sealed_whole before truncate on %I for each statement execute function ledger_refuse_sealed()', one);
  end loop;
  execute format('update ledger_months set state = ''sealed'', sealed_at = now(), calls = (select count(*) from %1$I),
    entries = (select count(kind) from %2$s e), numbered = (select count(sequence) from %2$s e),
    transactions = (select count(distinct transaction_id) from %2$s e),
    charged_nanos = (select coalesce(sum(cost_nanos), 0) from %1$I), sums = (select coalesce(jsonb_object_agg(account_id, nanos), ''{}'')
      from (select account_id, sum(amount_nanos)::text as nanos from %2$s e where kind is not null group by 1) s) where month = $1', calls, entries) using p_month;
  return true;
end
$$;
revoke execute on function ledger_freeze_month from public;
grant execute on function ledger_freeze_month to ledgerline_system;
