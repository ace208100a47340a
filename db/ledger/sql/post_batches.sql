-- Posts batches request by request, until p_limit is over: some may have been settled before, some may have lost their hold. A refused
-- request stays on disk with the reason and does not stop the others. Takes the locks of all rows at once, in the order of README.md.
create or replace function ledger_post_batches(
  p_ids text[], p_limit interval
) returns table(request_id text, charged_nanos bigint) language plpgsql as $$
declare
  b settlement_batches; i ledger_settlement; rest ledger_settlement[]; refused boolean; until timestamptz;
begin
  if cardinality(p_ids) = 0 then return; end if;
  perform from settlement_batches s where s.id = any (p_ids) order by s.id collate "C" for update;
  perform from accounts a where a.id = any (array(
    select distinct e.account from settlement_batches s, unnest(s.settlements::ledger_settlement[]) e where s.id = any (p_ids)))
    order by a.id collate "C" for update;
  perform from request_progress g where g.request_id = any (array(
    select e.id from settlement_batches s, unnest(s.settlements::ledger_settlement[]) e where s.id = any (p_ids)))
    order by g.request_id collate "C" for update;
  for b in select * from settlement_batches s where s.id = any (p_ids) order by s.id collate "C" loop
    rest := '{}'; refused := false;
    foreach i in array b.settlements::ledger_settlement[] loop
      if clock_timestamp() > until then rest := rest || i; continue; end if;
      begin
        select a.request_id, a.charged_nanos into request_id, charged_nanos
          from ledger_settle_again(array[i], array[i.id]) a;
        return next;
      exception when data_exception or integrity_constraint_violation or raise_exception then
        refused := true;
        delete from request_progress g where g.request_id = i.id;
        update holds set state = 'released', ended_at = now() where id = i.hold and kind = 'request' and ended_at is null;
        i.hold := '';
        insert into settlement_batches as s (id, process_id, settlements, refusal)
          values ('refused_' || i.id, b.process_id, array[i]::text, sqlerrm)
          on conflict (id) do update set refusal = excluded.refusal;
        raise warning 'the settlement % of batch % was refused: %', i.id, b.id, sqlerrm;
      end;
      until := coalesce(until, clock_timestamp() + p_limit);
    end loop;
    if cardinality(rest) > 0 then update settlement_batches s set settlements = rest::text where s.id = b.id;
    elsif b.refusal is null or not refused then delete from settlement_batches s where s.id = b.id; end if;
  end loop;
end
$$;
