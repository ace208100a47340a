-- The hour from which usage is summed again when the bill of a call that was settled at this time changes. Hours of more than 30 days ago
-- keep their sums, because their calls without a bill may be deleted; the change itself counts at its own time.
create or replace function ledger_sum_again(p_settled timestamptz) returns timestamptz language sql stable as $$
  select greatest(date_trunc('hour', p_settled, 'UTC'), date_trunc('hour', now() - interval '30 days', 'UTC'))
$$;
