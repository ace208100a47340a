-- Seals a month: its rows are final, and their numbers and sums are written down. Refuses while the month has not ended two days ago, while
-- one of its entries is not covered by a signed root, and while something waits that could still change a row: checked after the rows were
-- frozen, in the same transaction. A later change is refused, and belongs into a transaction of its own.
-- The checks look up each call and each account by a primary key: the sessions of the platform join by indexes alone, and a join with a
-- grouped table, which has no index, would compare each call with each other one.
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
        select account_id, workspace_id, max(sequence) as last from ledger_entries
        where subject >= m.first_id and subject < until and sequence is not null group by 1, 2) e
      where e.last > coalesce((select d.last_sequence from bill_days d where d.workspace_id = e.workspace_id order by d.day desc limit 1), 0) limit 1),
    (select 'request ' || q.id || ' costs ' || q.cost_nanos || ', its entries say otherwise' from requests q
      where q.id >= m.first_id and q.id < until and q.cost_nanos <> coalesce((
        select -sum(e.amount_nanos) from ledger_entries e where e.subject >= m.first_id and e.subject < until and e.subject = q.id
          and e.kind in ('debit', 'refund', 'correction')), 0) limit 1)) into wrong;
  if wrong is not null then raise exception 'the month % cannot be sealed: %', p_month, wrong; end if;
end
$$;
