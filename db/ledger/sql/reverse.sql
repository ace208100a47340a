-- Refunds a request whose answer never reached its caller, or prevents its bill: a later settlement of the same request finds its row and
-- skips it. Returns the refund. The answer is no longer kept.
create or replace function ledger_reverse(p_item json) returns bigint language plpgsql as $$
begin
  perform from accounts a where a.id = p_item ->> 'account' for update;
  delete from answer_parts where request_id = p_item ->> 'id';
  if not exists (select from ledger_entries where kind = 'debit' and subject = p_item ->> 'id') then
    perform ledger_settle_again(array[json_populate_record(null::ledger_settlement, p_item)], '{}');
    return 0;
  end if;
  return ledger_refund(p_item ->> 'id', p_item ->> 'hold', (p_item ->> 'status')::int);
end
$$;
