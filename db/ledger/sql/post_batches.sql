-- Posts batches request by request, until p_limit is over: some may have been settled before, some may have lost their hold. A refused
-- request stays on disk with the reason and does not stop the others: an item is read as a ledger_settlement only when its turn comes. Takes
-- the locks of all rows at once, in the order of README.md.
create or replace function ledger_post_batches(
  p_ids text[], p_limit interval
) returns table(request_id text, charged_nanos bigint) language plpgsql as $$
declare
  b settlement_batches; item json; rest json[]; refused boolean; until timestamptz;
begin
  if cardinality(p_ids) = 0 then return; end if;
  perform from settlement_batches s where s.id = any (p_ids) order by s.id collate "C" for update;
  perform from accounts a where a.id = any (array(
    select distinct e ->> 'account' from settlement_batches s, json_array_elements(s.settlements::json) e where s.id = any (p_ids)))
    order by a.id collate "C" for update;
  perform from request_progress g where g.request_id = any (array(
    select e ->> 'id' from settlement_batches s, json_array_elements(s.settlements::json) e where s.id = any (p_ids)))
    order by g.request_id collate "C" for update;
  for b in select * from settlement_batches s where s.id = any (p_ids) order by s.id collate "C" loop
    rest := '{}'; refused := false;
    for item in select * from json_array_elements(b.settlements::json) loop
      if clock_timestamp() > until then rest := rest || item; continue; end if;
      begin
        select a.request_id, a.charged_nanos into request_id, charged_nanos
          from ledger_settle_again(array[json_populate_record(null::ledger_settlement, item)], array[item ->> 'id']) a;
        return next;
      exception when data_exception or integrity_constraint_violation or raise_exception then
        refused := true;
        delete from request_progress g where g.request_id = item ->> 'id';
        update holds set state = 'released', ended_at = now() where id = item ->> 'hold' and kind = 'request' and ended_at is null;
        insert into settlement_batches as s (id, process_id, settlements, refusal)
          select 'refused_' || (item ->> 'id'), b.process_id,
            json_build_array(json_object_agg(f.key, case f.key when 'hold' then '""'::json else f.value end))::text, sqlerrm from json_each(item) f
          on conflict (id) do update set refusal = excluded.refusal;
        raise warning 'the settlement % of batch % was refused: %', item ->> 'id', b.id, sqlerrm;
      end;
      until := coalesce(until, clock_timestamp() + p_limit);
    end loop;
    if cardinality(rest) > 0 then update settlement_batches s set settlements = array_to_json(rest)::text where s.id = b.id;
    elsif b.refusal is null or not refused then delete from settlement_batches s where s.id = b.id; end if;
  end loop;
end
$$;
