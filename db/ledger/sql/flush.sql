-- Renews a process's lease, records what its streams have produced and what its calls hold of each slice. False: the process was reaped and
-- its holds are gone.
create or replace function ledger_flush(
  p_process text, p_lease_ms int, p_progress json, p_used_keys text[], p_in_use jsonb
) returns boolean language plpgsql as $$
begin
  update processes set lease_until = clock_timestamp() + p_lease_ms * interval '1 millisecond', in_use = p_in_use,
    backend_pid = pg_backend_pid(), backend_of = pg_postmaster_start_time(), renewed_at = clock_timestamp(), gone_at = null,
    steady_since = case when renewed_at > clock_timestamp() - interval '2.5 seconds' then steady_since else clock_timestamp() end
    where id = p_process and reaped_at is null;
  if not found then return false; end if;
  insert into request_progress (request_id, process_id, settlement)
    select i ->> 'id', p_process, i from json_array_elements(p_progress) i order by (i ->> 'id') collate "C"
    on conflict (request_id) do update set settlement = excluded.settlement, updated_at = now();
  perform from api_keys k where k.id = any (p_used_keys) order by k.id collate "C" for no key update;
  update api_keys set last_used_at = now() where id = any (p_used_keys);
  return true;
end
$$;
