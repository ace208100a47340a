-- Settles requests one by one when it is unknown whether they were settled before (then nothing happens) or whether their hold still exists.
-- When the hold is gone (its process was thought dead), the customer pays at most what is free. Returns the charge of each.
-- A provisional item is the recorded progress of a stream whose process was thought dead. The final bill of that process, if it arrives,
-- replaces it.
create or replace function ledger_settle_again(
  p_items ledger_settlement[], p_flushed text[]
) returns table(request_id text, charged_nanos bigint) language plpgsql as $$
declare
  i ledger_settlement; r requests; is_new boolean; is_held boolean; admitted date; paid bigint; secret_id text;
  secret bigint[]; hold text; project text; room bigint[];
begin
  perform from accounts a where a.id = any (array(select e.account from unnest(p_items) e))
    order by a.id collate "C" for update;
  perform from request_progress g where g.request_id = any (p_flushed) order by g.request_id collate "C" for update;
  delete from request_progress g where g.request_id = any (p_flushed);
  foreach i in array p_items loop
    request_id := i.id;
    select * into r from requests q where q.id = i.id;
    is_new := not found;
    if is_new or (r.provisional and i.provisional is not true) then
      paid := coalesce(r.cost_nanos, 0);
      -- Not "state = 'open'": that would be looked up among all open holds, in the partial index.
      is_held := exists (select from holds h where h.id = i.hold and h.ended_at is null);
      admitted := coalesce((select h.day from holds h where h.id = i.hold), (ledger_now(i.workspace) at time zone 'utc')::date);
      select client_secret_id, project_id into secret_id, project from holds where id = i.hold;
      secret := null; room := null;
      if secret_id is not null and not is_held then secret := ledger_secret_room(secret_id); end if;
      if project is not null and not is_held then room := ledger_project_room(project, admitted); end if;
      charged_nanos := case when is_held or i.charge <= paid then i.charge
        else paid + (select greatest(0, least(i.charge - paid, k.available, k.key_free, room[2], secret[2])) from ledger_room(i.key, admitted) k) end;
      if not is_new then
        perform ledger_correct(i, charged_nanos, admitted);
        return next;
        continue;
      end if;
      i.charge := charged_nanos;
      hold := i.hold;
      if not is_held then i.hold := null; end if;
      perform ledger_settle(array[i], '{}');
      if not is_held and charged_nanos > 0 then
        insert into key_days as d (key_id, day, workspace_id, spent_nanos)
        values (i.key, admitted, i.workspace, charged_nanos)
        on conflict (key_id, day) do update set spent_nanos = d.spent_nanos + excluded.spent_nanos;
        perform ledger_count_secret(hold, charged_nanos);
        perform ledger_count_project(project, admitted, i.workspace, charged_nanos);
      end if;
      if not is_held and project is not null then update requests q set project_id = project where q.id = i.id; end if;
    else
      charged_nanos := r.cost_nanos;
    end if;
    return next;
  end loop;
end
$$;
