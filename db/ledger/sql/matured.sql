-- What of a workspace's earnings may be paid out: all from before p_before and not paid out yet, without those whose payment may still be
-- taken back. A workspace is short by what its balance lacks, and would lack if its open inquiries ended as disputes (card networks close one after 120 days):
-- as much of what its runs earned for others waits. Below zero: more was paid out than this allows. `short_nanos` is what the publisher itself is short.
create or replace function ledger_matured(p_workspace text, p_before timestamptz, out nanos bigint, out short_nanos bigint)
language sql stable as $$
  with shortfalls as materialized (
    select a.workspace_id, coalesce(i.nanos, 0) - a.posted_nanos as nanos from accounts a left join (
      select t.workspace_id, sum(r.amount_nanos) as nanos from topup_reversals r join topups t on t.payment_intent = r.payment_intent
      where r.kind = 'dispute' and r.state = 'none' and r.stage = 0 and r.told_at > now() - interval '120 days' group by 1) i on i.workspace_id = a.workspace_id
    where a.kind = 'customer' and a.posted_nanos < coalesce(i.nanos, 0)),
  waiting as (
    select least(sum(e.amount_nanos), s.nanos) as nanos from shortfalls s
      join ledger_legs d on d.workspace_id = s.workspace_id and d.kind = 'debit'
      join ledger_legs e on e.kind = 'earning' and e.subject = d.subject
    where e.workspace_id = p_workspace and s.workspace_id <> p_workspace and e.created_at < p_before group by s.workspace_id, s.nanos)
  select (coalesce(sum(p.amount_nanos) filter (where p.kind <> 'earning' or p.created_at < p_before), 0)
      - (select coalesce(sum(w.nanos), 0) from waiting w))::bigint,
    coalesce((select s.nanos from shortfalls s where s.workspace_id = p_workspace), 0)::bigint
  from ledger_legs p where p.account_id = 'payable_' || p_workspace
$$;
