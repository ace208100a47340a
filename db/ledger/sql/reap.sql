-- Ends what dead processes left: streams are settled by their recorded progress, all other holds are released.
create or replace function ledger_reap(
  out processes_reaped int, out requests_settled int, out holds_released int
) language plpgsql as $$
declare
  dead text[];
begin
  select coalesce(array_agg(d.id), '{}') into dead from (
    select p.id from processes p where p.reaped_at is null and ledger_dead(p) order by p.id collate "C" for update skip locked) d;
  processes_reaped := cardinality(dead); requests_settled := 0; holds_released := 0;
  if processes_reaped = 0 then return; end if;
  select count(*) into requests_settled from request_progress g where g.process_id = any (dead);
  insert into settlement_batches (id, process_id, settlements)
    select 'streams_' || g.process_id, g.process_id, array_agg(jsonb_populate_record(null::ledger_settlement, g.settlement::jsonb || '{"provisional": true}'))::text
    from request_progress g
    where g.process_id = any (dead) group by g.process_id;
  perform ledger_post_batches(array(select b.id from settlement_batches b where b.process_id = any (dead) and b.refusal is null), interval '3 seconds');
  perform from accounts a where a.id = any (array(select distinct h.account_id from holds h where h.process_id = any (dead) and h.state = 'open')) order by a.id collate "C" for update;
  perform from holds h where h.process_id = any (dead) and h.state = 'open' order by h.id collate "C" for update;
  update holds set state = 'released', ended_at = now() where process_id = any (dead) and state = 'open';
  get diagnostics holds_released = row_count;
  update processes set reaped_at = now() where id = any (dead);
end
$$;
