-- Returns a part of a slice; p_close ends the hold when it covers nothing any more.
create or replace function ledger_give_back(p_id text, p_amount bigint, p_close boolean) returns void language sql as $$
  update holds set amount_nanos = amount_nanos - p_amount,
    state = case when p_close then 'released' else state end, ended_at = case when p_close then now() else ended_at end
  where id = p_id and ended_at is null
$$;
