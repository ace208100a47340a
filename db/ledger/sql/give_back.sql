-- Returns a part of a slice; p_close ends the hold when it covers nothing any more.
-- A slice is closed after its last call is posted. If a batch still names it, a crash of the database lost that posting (it is committed
-- asynchronously): the batch is posted again before the money that covers it is returned.
create or replace function ledger_give_back(p_id text, p_amount bigint, p_close boolean) returns void language plpgsql as $$
begin
  if p_close then
    perform ledger_post_batches(array(
      select b.id from settlement_batches b join holds h on h.id = p_id and h.kind = 'slice' and h.ended_at is null
      where b.process_id = h.process_id and b.refusal is null and position(p_id in b.settlements) > 0), null);
  end if;
  update holds set amount_nanos = amount_nanos - p_amount,
    state = case when p_close then 'released' else state end, ended_at = case when p_close then now() else ended_at end
  where id = p_id and ended_at is null;
end
$$;
