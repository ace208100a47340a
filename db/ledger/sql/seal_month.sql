-- Seals a month: its rows are final, and their numbers and sums are written down. Refuses while the month has not ended two days ago, while
-- one of its entries is not covered by a signed root, and while something waits that could still change a row: checked after the rows were
-- frozen, in the same transaction. A later change is refused, and belongs into a transaction of its own.
create or replace function ledger_seal_month(p_month date) returns void language plpgsql as $$
declare
  m ledger_months; until text; wrong text;
begin
  if not ledger_freeze_month(p_month) then return; end if;
  select * into m from ledger_months where month = p_month;
  select min(n.first_id) into until from ledger_months n where n.first_id > m.first_id;
  select coalesce(
    (select 'the settlement of ' || e.id || ' waits' from settlement_batches b, unnest(b.settlements::ledger_settlement[]) e
      where e.id >= m.first_id and e.id < until limit 1),
    (select 'the stream of ' || g.request_id || ' runs' from request_progress g where g.request_id >= m.first_id and g.request_id < until limit 1),
    (select 'the entries of ' || e.account_id || ' up to ' || e.last || ' are not signed' from (
        select account_id, max(sequence) as last from ledger_entries where subject >= m.first_id and subject < until and sequence is not null group by 1) e
      where e.last > coalesce((select max(d.last_sequence) from bill_days d where d.account_id = e.account_id), 0) limit 1),
    (select 'request ' || q.id || ' costs ' || q.cost_nanos || ', its entries say otherwise' from requests q left join (
        select subject, -sum(amount_nanos) as nanos from ledger_entries where subject >= m.first_id and subject < until
          and kind in ('debit', 'refund', 'correction') group by 1) e on e.subject = q.id
      where q.id >= m.first_id and q.id < until and q.cost_nanos <> coalesce(e.nanos, 0) limit 1)) into wrong;
  if wrong is not null then raise exception 'the month % cannot be sealed: %', p_month, wrong; end if;
end
$$;
