-- Takes back the bill of a request whose answer never reached its caller, or makes sure that it is never billed: a later settlement of the
-- same request finds its row and skips it. Returns what was given back.
create or replace function ledger_reverse(p_item json) returns bigint language plpgsql as $$
declare
  bill ledger_entries; day_billed date;
begin
  perform from accounts a where a.id = p_item ->> 'account' for update;
  select * into bill from ledger_entries where kind = 'debit' and subject = p_item ->> 'id';
  if not found then
    perform ledger_settle_again(json_build_array(p_item), '{}');
    return 0;
  end if;
  if not ledger_post('refund', bill.subject, bill.workspace_id, 'revenue', -bill.amount_nanos) then return 0; end if;
  -- The process that owns the slice counts the call as never charged.
  update holds set amount_nanos = amount_nanos - bill.amount_nanos where id = p_item ->> 'hold' and kind = 'slice' and ended_at is null;
  select day into day_billed from holds where id = p_item ->> 'hold';
  update key_days set spent_nanos = spent_nanos + bill.amount_nanos
    where key_id = bill.key_id and day = coalesce(day_billed, (bill.created_at at time zone 'utc')::date);
  update requests set status = (p_item ->> 'status')::int, cost_nanos = 0 where id = bill.subject;
  return -bill.amount_nanos;
end
$$;
