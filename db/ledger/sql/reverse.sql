-- Takes back the bill of a request whose answer never reached its caller, or makes sure that it is never billed: a later settlement of the
-- same request finds its row and skips it. Returns what was given back.
create or replace function ledger_reverse(p_item json) returns bigint language plpgsql as $$
begin
  perform from accounts a where a.id = p_item ->> 'account' for update;
  if not exists (select from ledger_entries where kind = 'debit' and subject = p_item ->> 'id') then
    perform ledger_settle_again(json_build_array(p_item), '{}');
    return 0;
  end if;
  return ledger_refund(p_item ->> 'id', p_item ->> 'hold', (p_item ->> 'status')::int);
end
$$;
