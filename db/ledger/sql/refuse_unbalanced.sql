-- Trigger: every statement inserts whole transactions, so the sum of each can be checked once per statement, not per row. The other legs of a
-- settlement are calls, which follow it: `refuse_unmatched`.
create or replace function ledger_refuse_unbalanced() returns trigger language plpgsql as $$
begin
  if exists (select from fresh group by transaction_id
    having sum(amount_nanos) <> 0 and not bool_and(kind in ('revenue', 'write_off') and subject like '%settlement %')) then
    raise exception 'the legs of a ledger transaction must sum to zero';
  end if;
  return null;
end
$$;
