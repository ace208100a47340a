-- Takes a hold as `hold_within` does, without a client secret.
create or replace function ledger_hold(
  p_id text, p_process text, p_key text, p_kind text, p_want bigint, p_need bigint, out outcome text, out granted bigint, out partial
  boolean, out day_left_ms bigint
) language sql as $$
  select * from ledger_hold_within(p_id, p_process, p_key, p_kind, p_want, p_need, null)
$$;
