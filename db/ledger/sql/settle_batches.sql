-- Settles the requests of batches together and ends the batches, from their rows. p_flushed: the requests that may have recorded progress;
-- null: any of them. Fails as a whole when a batch is gone, and where ledger_settle does.
create or replace function ledger_settle_batches(p_batches text[], p_flushed text[]) returns void language plpgsql as $$
declare
  written text; posted int; items ledger_settlement[];
begin
  perform from settlement_batches b where b.id = any (p_batches) order by b.id collate "C" for update;
  with ended as (delete from settlement_batches b where b.id = any (p_batches) returning b.id, b.settlements)
  select string_agg(e.settlements, '' order by array_position(p_batches, e.id)), count(*) into written, posted from ended e;
  if posted <> cardinality(p_batches) then
    raise exception 'another process has posted a batch of these settlements';
  end if;
  -- One array of all: within its elements a backslash precedes each quote.
  items := replace(written, '"}{"', '","')::ledger_settlement[];
  perform ledger_settle(items, coalesce(p_flushed, array(select i.id from unnest(items) i)));
end
$$;
