-- Settles requests one by one when it is unknown whether they were settled before (then nothing happens) or whether their hold is still
-- there. When the hold is gone (its process was thought dead), the customer pays at most what is free. Returns the charge of each.
-- An item with "provisional" is what was recorded of a stream whose process was thought dead. The final bill of that process, should it
-- come after all, replaces it.
create or replace function ledger_settle_again(
  p_items json, p_flushed text[]
) returns table(request_id text, charged_nanos bigint) language plpgsql as $$
declare
  item json; i ledger_settlement; r requests; is_new boolean; is_held boolean; admitted date; paid bigint;
begin
  perform from accounts a where a.id = any (array(select e ->> 'account' from json_array_elements(p_items) e))
    order by a.id collate "C" for update;
  perform from request_progress g where g.request_id = any (p_flushed) order by g.request_id collate "C" for update;
  delete from request_progress g where g.request_id = any (p_flushed);
  for item in select * from json_array_elements(p_items) loop
    i := json_populate_record(null::ledger_settlement, item);
    request_id := i.id;
    select * into r from requests q where q.id = i.id;
    is_new := not found;
    if is_new or (r.provisional and item ->> 'provisional' is null) then
      paid := coalesce(r.cost_nanos, 0);
      -- Not "state = 'open'": that would be looked up among all open holds, in the partial index.
      is_held := exists (select from holds h where h.id = i.hold and h.ended_at is null);
      admitted := coalesce((select h.day from holds h where h.id = i.hold), (now() at time zone 'utc')::date);
      charged_nanos := case when is_held or i.charge <= paid then i.charge
        else paid + (select greatest(0, least(i.charge - paid, room.available, room.key_free)) from ledger_room(i.key, admitted) room) end;
      if not is_new then
        perform ledger_correct(i, charged_nanos, admitted);
        return next;
        continue;
      end if;
      perform ledger_settle(array[i.account], case when is_held then array[i.hold] else '{}' end, array[charged_nanos], array[i.cost > 0], '{}',
        array[1], array[i.id], array[i.workspace], array[i.key], array[i.cost], array[charged_nanos], array[i.route], array[i.model],
        array[i.status], array[i.cancelled], array[i.usage], array[i.held], array[i.started], array[i.first], array[i.duration], array[i.bytes]);
      if item ->> 'provisional' is not null then update requests set provisional = true where id = i.id; end if;
      if not is_held and charged_nanos > 0 then
        insert into key_days as d (key_id, day, workspace_id, spent_nanos)
        values (i.key, admitted, i.workspace, charged_nanos)
        on conflict (key_id, day) do update set spent_nanos = d.spent_nanos + excluded.spent_nanos;
      end if;
    else
      charged_nanos := r.cost_nanos;
    end if;
    return next;
  end loop;
end
$$;
