-- Renews a process's lease and records what its streams have produced. False: the process was reaped and its holds are gone.
create or replace function ledger_flush(
  p_process text, p_lease_ms int, p_progress json, p_used_keys text[]
) returns boolean language plpgsql as $$
begin
  update processes set lease_until = clock_timestamp() + p_lease_ms * interval '1 millisecond' where id = p_process and reaped_at is null;
  if not found then return false; end if;
  insert into request_progress (request_id, process_id, settlement)
    select i ->> 'id', p_process, i from json_array_elements(p_progress) i
    on conflict (request_id) do update set settlement = excluded.settlement, updated_at = now();
  update api_keys set last_used_at = now() where id = any (p_used_keys);
  return true;
end
$$;
