-- What lies idle in an account's open slices: no running call needs it, and a new call would take it first. Each process writes every second
-- what its calls hold of each slice (`processes.in_use`); the process that asks passes its own figures, p_in_use, which are of this moment. A
-- slice without a figure is younger than the last second's write: it counts as idle.
create or replace function ledger_idle(
  p_account text, p_process text default '', p_in_use jsonb default '{}'
) returns table(key_id text, day date, idle_nanos bigint) language sql stable as $$
  select h.key_id, h.day, h.amount_nanos - least(h.amount_nanos,
    coalesce((case when h.process_id = p_process then p_in_use else p.in_use end ->> h.id)::bigint, 0))
  from holds h left join processes p on p.id = h.process_id where h.account_id = p_account and h.state = 'open' and h.kind = 'slice'
$$;
