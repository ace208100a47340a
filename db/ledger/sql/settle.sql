-- Settles new requests: entries, balances, holds, key days and request rows, in one call. The row of a request that was charged is its entry too. Fails as a whole when a request was settled before
-- (requests_pkey) or a hold is gone; then ledger_settle_again settles them one by one. An item without a hold is covered by none.
-- "charge" is what the hold covers, "cost" the true price; the difference is written off, so that revenue shows the price and the customer
-- never pays past a hold.
-- Links are computed in the loop and written once: plain statements start several times faster than one large one.
-- A transaction is of one month, that of its requests' ids: at a month's turn there are two. The legs of the house have a subject of that month,
-- so that a month's partition has whole transactions.
-- Requests of live and of test workspaces have house accounts of their own, and each test workspace has its own time: together, they are
-- settled in a transaction for each.
create or replace function ledger_settle(p_items ledger_settlement[], p_flushed text[]) returns void language plpgsql as $$
declare
  i ledger_settlement; owners text[]; balances bigint[]; counts bigint[]; heads bytea[];
  used text[]; totals bigint[]; billed boolean[]; keys text[]; days date[]; workspaces text[]; secrets text[]; placed text[]; projects text[]; total_cost bigint; total_charge bigint; held int;
  n int; m int := 0; entries bigint; balance bigint; head bytea; sequences bigint[]; afters bigint[]; links bytea[]; tx bigint; seal bytea;
  tests ledger_settlement[]; lives ledger_settlement[]; tester text; revenue text := 'revenue'; write_off text := 'write_off';
  since text; until text; month text; settlement text;
  at timestamptz; ahead interval := '0';
begin
  select array_agg(a.id), array_agg(a.posted_nanos), array_agg(a.entry_count), array_agg(a.head_hash) into owners, balances, counts, heads
  from (select a.id, a.posted_nanos, a.entry_count, a.head_hash from accounts a
    where a.id = any (array(select e.account from unnest(p_items) e)) order by a.id collate "C" for update) a;
  if cardinality(p_flushed) > 0 then
    perform from request_progress g where g.request_id = any (p_flushed) order by g.request_id collate "C" for update;
    delete from request_progress g where g.request_id = any (p_flushed);
  end if;
  select min(e.id), max(e.id) into since, until from unnest(p_items) e;
  select q.first_id into month from ledger_months q where q.first_id <= until order by q.first_id desc limit 1;
  if month > since then
    perform ledger_settle(array(select e from unnest(p_items) e where e.id < month), '{}');
    perform ledger_settle(array(select e from unnest(p_items) e where e.id >= month), '{}');
    return;
  end if;
  tests := array(select e from unnest(p_items) e where starts_with(e.workspace, 'wst_'));
  if cardinality(tests) > 0 then
    tester := (tests[1]).workspace;
    if exists (select from unnest(p_items) e where e.workspace <> tester) then
      lives := array(select e from unnest(p_items) e where not starts_with(e.workspace, 'wst_'));
      if cardinality(lives) > 0 then perform ledger_settle(lives, '{}'); end if;
      for tester in select distinct e.workspace from unnest(tests) e order by 1 loop
        perform ledger_settle(array(select e from unnest(tests) e where e.workspace = tester), '{}');
      end loop;
      return;
    end if;
    revenue := 'test_revenue'; write_off := 'test_write_off';
    ahead := ledger_now(tester) - now();
  end if;
  -- As posted_at.sql has it.
  at := clock_timestamp() + ahead;
  select coalesce(array_agg(u.hold) filter (where u.hold is not null), '{}'), array_agg(u.charge) filter (where u.hold is not null),
    array_agg(u.billed) filter (where u.hold is not null), sum(u.cost), sum(u.charge) into used, totals, billed, total_cost, total_charge
  from (select e.hold, sum(e.charge)::bigint as charge, sum(e.cost)::bigint as cost, bool_or(e.cost > 0) as billed
    from unnest(p_items) e group by e.hold) u;
  -- What the key days need of a hold is kept: a second search by id would cost a quarter of the pages of all this.
  with held as (
    update holds h set
      amount_nanos = case h.kind when 'slice' then h.amount_nanos - s.total else h.amount_nanos end,
      state = case when h.kind = 'slice' then h.state when s.billed then 'settled' else 'released' end,
      ended_at = case h.kind when 'slice' then h.ended_at else now() end
    from unnest(used, totals, billed) s(id, total, billed) where h.id = s.id and h.ended_at is null
    returning h.id, h.key_id, h.day, h.workspace_id, h.client_secret_id, h.project_id, s.total)
  select array_agg(u.key_id), array_agg(u.day), array_agg(u.workspace_id), array_agg(u.client_secret_id), array_agg(u.total), count(*),
      array_agg(u.id) filter (where u.project_id is not null), array_agg(u.project_id)
    into keys, days, workspaces, secrets, totals, held, placed, projects from held u;
  if held <> cardinality(used) then raise exception 'a hold of these settlements is gone'; end if;
  merge into key_days d using (
    select u.key_id, u.day, min(u.workspace_id) as workspace_id, sum(u.total)::bigint as total
    from unnest(keys, days, workspaces, totals) u(key_id, day, workspace_id, total) where u.total > 0 group by u.key_id, u.day) s
    on d.key_id = s.key_id and d.day = s.day
  when matched then update set spent_nanos = d.spent_nanos + s.total
  when not matched then insert (key_id, day, workspace_id, spent_nanos) values (s.key_id, s.day, s.workspace_id, s.total);
  if placed is not null then
    merge into project_days d using (
      select u.project_id, u.day, min(u.workspace_id) as workspace_id, sum(u.total)::bigint as total
      from unnest(projects, days, workspaces, totals) u(project_id, day, workspace_id, total)
      where u.total > 0 and u.project_id is not null group by u.project_id, u.day) s
      on d.project_id = s.project_id and d.day = s.day
    when matched then update set spent_nanos = d.spent_nanos + s.total
    when not matched then insert (project_id, day, workspace_id, spent_nanos) values (s.project_id, s.day, s.workspace_id, s.total);
    projects := array_remove(projects, null);
  end if;
  if array_remove(secrets, null) <> '{}' then
    perform from client_secrets c where c.id = any (secrets) order by c.id collate "C" for update;
    update client_secrets c set spent_nanos = c.spent_nanos + s.total from (
      select u.secret, sum(u.total)::bigint as total from unnest(secrets, totals) u(secret, total) group by u.secret) s where c.id = s.secret;
  end if;
  -- Filled from the start: an array whose first elements are never assigned begins later, and would be read beside the wrong requests.
  sequences := array_fill(null::bigint, array[cardinality(p_items)]);
  afters := sequences;
  links := array_fill(null::bytea, array[cardinality(p_items)]);
  if total_cost > 0 then
    tx := nextval('ledger_transaction_ids');
    settlement := coalesce(month || ' ', '') || 'settlement ' || tx;
    m := cardinality(p_items);
    seal := ledger_seal(tx, at, ledger_leg(m + 1, revenue, null, 'revenue', settlement, total_cost) || case
      when total_cost > total_charge then ',' || ledger_leg(m + 2, write_off, null, 'write_off', settlement, total_charge - total_cost)
      else '' end);
  end if;
  m := 0;
  foreach i in array p_items loop
    m := m + 1;
    if i.charge > 0 then
      n := array_position(owners, i.account);
      entries := counts[n] + 1; balance := balances[n] - i.charge;
      head := ledger_chain(heads[n], seal, m, entries, 'debit', i.id, -i.charge, balance, i.key);
      counts[n] := entries; balances[n] := balance; heads[n] := head;
      sequences[m] := entries; afters[m] := balance; links[m] := head;
    end if;
  end loop;
  -- The legs of the house first: the rows of the calls, which are the other legs, are compared with them. Who changes the partitions locks the
  -- tables in the other order, and would wait for a settlement that waits.
  if tx is not null then
    lock table only requests in row exclusive mode;
    insert into ledger_legs (transaction_id, leg, account_id, kind, subject, amount_nanos, hash, hash_version, created_at)
    select tx, m + 1, revenue, 'revenue', settlement, total_cost, seal, 2, at
    union all select tx, m + 2, write_off, 'write_off', settlement, total_charge - total_cost, null, null, at where total_cost > total_charge;
  end if;
  insert into requests (id, workspace_id, key_id, route, model, status, cancelled, usage, cost_nanos, written_off_nanos, hold_nanos,
    started_at, first_byte_ms, duration_ms, stream_bytes, provisional, upstream, routing, attempts, finish_reason, cached_tokens, reasoning_tokens,
    price_id, product, project_id, settled_at, transaction_id, leg, account_id, debited_nanos, sequence, balance_after_nanos, hash)
  select e.id, e.workspace, e.key, e.route, e.model, e.status, e.cancelled, e.usage, e.charge, e.cost - e.charge, e.held, e.started + ahead, e.first,
    e.duration, e.bytes, e.provisional is true, nullif(split_part(e.upstream, e'\x1f', 1), ''), nullif(split_part(e.upstream, e'\x1f', 2), ''), e.attempts, e.finish, e.cached, e.reasoning, e.price, e.product,
    case when placed is not null then projects[array_position(placed, e.hold)] end, at,
    case when e.charge > 0 then tx end, case when e.charge > 0 then e.ordinality end, case when e.charge > 0 then e.account end,
    case when e.charge > 0 then e.charge end, sequences[e.ordinality], afters[e.ordinality], links[e.ordinality]
  from unnest(p_items) with ordinality e;
  if tx is null then return; end if;
  update accounts set posted_nanos = s.posted, entry_count = s.entries, head_hash = s.head
    from unnest(owners, balances, counts, heads) s(id, posted, entries, head) where accounts.id = s.id;
end
$$;
