-- Whether a process is dead: its lease has ended; or it has not renewed it for four seconds, and the connection over which it did is closed,
-- as the kernel does when a process is killed. One that is paused or cut off keeps its connection, and so its lease. The lease alone
-- counts after a restart or failover of the database, where every connection is another, and while no process has renewed steadily.
create or replace function ledger_dead(p processes) returns boolean language sql as $$
  select p.reaped_at is null and (p.lease_until < clock_timestamp() or (p.renewed_at < clock_timestamp() - interval '4 seconds'
    and p.backend_of = pg_postmaster_start_time() and not exists (select from pg_stat_get_activity(p.backend_pid))
    and exists (select from processes o where o.reaped_at is null and o.renewed_at > clock_timestamp() - interval '2.5 seconds'
      and o.steady_since < clock_timestamp() - interval '2.5 seconds')))
$$;
