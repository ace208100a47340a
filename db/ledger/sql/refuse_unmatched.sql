-- Trigger: a call has all of its debit or nothing of it, and calls are charged together with the legs of the house in the same transaction, which
-- were inserted just before.
create or replace function ledger_refuse_unmatched() returns trigger language plpgsql as $$
begin
  if exists (select from fresh f
    where num_nulls(f.transaction_id, f.leg, f.account_id, f.debited_nanos, f.sequence, f.balance_after_nanos, f.hash) not in (0, 7)) then
    raise exception 'the debit of a call must be whole';
  end if;
  if exists (
    select from (select f.transaction_id as tx, sum(f.debited_nanos) as nanos, min(f.id) as id from fresh f where f.sequence is not null group by 1) c
    where c.nanos is distinct from (
      select sum(l.amount_nanos) from ledger_legs l
      where l.subject = any (array['settlement ' || c.tx,
          (select m.first_id from ledger_months m where m.first_id <= c.id order by m.first_id desc limit 1) || ' settlement ' || c.tx])
        and l.kind in ('revenue', 'write_off') and l.transaction_id = c.tx)) then
    raise exception 'the legs of a ledger transaction must sum to zero';
  end if;
  return null;
end
$$;
