-- Drops the rows of an archived month: the only way in which entries leave the database. Refuses without the archive's proof, and when the rows
-- are not those that were sealed. What the entries of each account sum to is carried forward, and so are the ranges of its numbers with the
-- balance and the hash before and after each: `ledger check` follows the chain over the gap.
create or replace function ledger_drop_month(p_month date) returns boolean language plpgsql security definer
set search_path = public, pg_temp set lock_timeout = '500ms' as $$
declare
  m ledger_months; found_calls bigint; found_entries bigint; found_sums jsonb; calls text := 'requests' || to_char(p_month, '_YYYY_MM');
  legs text := 'ledger_legs' || to_char(p_month, '_YYYY_MM'); entries text := ledger_entries_of(calls, legs); left_before text;
begin
  perform pg_advisory_xact_lock(7215);
  select * into m from ledger_months where month = p_month for update;
  if m.state = 'dropped' then return false; end if;
  if m.state is distinct from 'archived' or m.proof is null then raise exception 'the month % is not archived', p_month; end if;
  select to_char(n.month, 'YYYY-MM') into left_before from ledger_months n where n.month < p_month and n.state <> 'dropped' limit 1;
  if left_before is not null then raise exception 'the month % is dropped after the month %', p_month, left_before; end if;
  execute format('select count(*) from %I', calls) into found_calls;
  execute format('select (select count(kind) from %1$s e), (select coalesce(jsonb_object_agg(account_id, nanos), ''{}'')
    from (select account_id, sum(amount_nanos)::text as nanos from %1$s e where kind is not null group by 1) s)', entries) into found_entries, found_sums;
  if (found_calls, found_entries, found_sums) is distinct from (m.calls, m.entries, m.sums) then
    raise exception 'the month % has other rows than those sealed', p_month;
  end if;
  execute format('insert into ledger_carried as c (kind, id, day, nanos, entries)
    select ''account'', account_id, date ''2000-01-01'', sum(amount_nanos), count(*) from %1$s e where kind is not null group by account_id
    union all select ''project'', project_id, date ''2000-01-01'', sum(cost_nanos), 0 from %2$I where project_id is not null group by project_id
    union all select ''key'', q.key_id, case when starts_with(q.workspace_id, ''wst_'') then date ''2000-01-01'' else
        (coalesce(d.created_at, e.created_at) at time zone ''utc'')::date end, -sum(e.amount_nanos), 0
      from %1$s e join %2$I q on q.id = e.subject left join %1$s d on d.kind = ''debit'' and d.subject = e.subject
      where e.kind in (''debit'', ''refund'', ''correction'') group by 2, 3
    on conflict (kind, id, day) do update set nanos = c.nanos + excluded.nanos, entries = c.entries + excluded.entries', entries, calls);
  -- Numbers that follow each other are one range.
  execute format('insert into ledger_carried_ranges
    select r.account_id, f.sequence, l.sequence, f.balance_after_nanos - f.amount_nanos, l.balance_after_nanos, coalesce(
        (select c.after_hash from ledger_carried_ranges c where c.account_id = r.account_id and c.last_sequence = r.first - 1),
        (select e.hash from ledger_entries e where e.account_id = r.account_id and e.sequence = r.first - 1)), l.hash
    from (select account_id, min(sequence) as first, max(sequence) as last from (
        select account_id, sequence, sequence - row_number() over (partition by account_id order by sequence) as island from %1$s e
        where sequence is not null) i group by account_id, island) r
      join %1$s f on f.account_id = r.account_id and f.sequence = r.first join %1$s l on l.account_id = r.account_id and l.sequence = r.last', entries);
  -- All ranges are written anew, without a join: one with a plan from when the table was empty compares each account with each other one.
  with old as (delete from ledger_carried_ranges returning *)
    insert into ledger_carried_ranges (account_id, first_sequence, last_sequence, before_nanos, after_nanos, before_hash, after_hash)
    select account_id, min(first_sequence), max(last_sequence), (array_agg(before_nanos order by first_sequence))[1],
      (array_agg(after_nanos order by first_sequence desc))[1], (array_agg(before_hash order by first_sequence))[1],
      (array_agg(after_hash order by first_sequence desc))[1]
    from (select *, first_sequence - coalesce(sum(last_sequence - first_sequence + 1) over (partition by account_id order by first_sequence
        rows between unbounded preceding and 1 preceding), 0) as place from old) i
    group by account_id, place;
  execute format('alter table requests detach partition %I', calls);
  execute format('alter table ledger_legs detach partition %I', legs);
  execute format('drop table %I, %I', calls, legs);
  update ledger_months set state = 'dropped', dropped_at = now() where month = p_month;
  return true;
end
$$;
revoke execute on function ledger_drop_month from public;
grant execute on function ledger_drop_month to ledgerline_system;
