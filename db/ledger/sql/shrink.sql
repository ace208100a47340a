-- Lowers an open hold to what it must still cover, while a run waits for its caller: the rest is free for others. It is no longer partial,
-- so that other partial holds are possible. The run grows it again with `extend`.
create or replace function ledger_shrink(p_id text, p_keep bigint) returns void language sql as $$
  update holds set amount_nanos = least(amount_nanos, p_keep), partial = false where id = p_id and ended_at is null
$$;
