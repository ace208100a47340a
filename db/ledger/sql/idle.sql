-- What no running call needs of an account's open slices. Each process writes every second what its calls hold of each slice
-- (`processes.in_use`); the calling process passes its own current figures, p_in_use. A slice without a figure is younger than the last
-- write: it counts as idle.
create or replace function ledger_idle(
  p_account text, p_process text default '', p_in_use jsonb default '{}'
) returns table(key_id text, day date, idle_nanos bigint) language sql stable as $$
  select h.key_id, h.day, h.amount_nanos - least(h.amount_nanos,
    coalesce((case when h.process_id = p_process then p_in_use else p.in_use end ->> h.id)::bigint, 0))
  from holds h left join processes p on p.id = h.process_id where h.account_id = p_account and h.state = 'open' and h.kind = 'slice'
$$;
