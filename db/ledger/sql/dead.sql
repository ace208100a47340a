-- Whether a process is dead: its lease has ended; or it was seen without its connection two seconds ago and has not renewed its lease since.
-- The kernel closes the connection of a process that is killed. One that is paused or cut off keeps it, and so its lease; one whose connection
-- broke opens another. While no process has renewed steadily, as after a stall of the database, the lease alone counts.
create or replace function ledger_dead(p processes) returns boolean language sql as $$
  select p.reaped_at is null and (p.lease_until < clock_timestamp() or (coalesce(p.gone_at < clock_timestamp() - interval '2 seconds', false)
    and exists (select from processes o where o.reaped_at is null and o.renewed_at > clock_timestamp() - interval '2.5 seconds'
      and o.steady_since < clock_timestamp() - interval '2.5 seconds')))
$$;
