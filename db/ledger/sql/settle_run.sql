-- Ends a run's hold: debits subtotal and fee together, books the platform's cost (model, sandbox), the network fee and what the publisher
-- earns (the rest of the subtotal), and counts the sum towards the key's day of the hold. The part of the platform's cost that a subsidised run
-- does not cover is booked to the account `subsidies`. A failed run is charged nothing: its consumption moves between house accounts. When
-- the hold has ended, the run was settled before: only the charge is returned. What the publisher earns passes through its clearing account:
-- this transaction is of the caller's workspace, and ledger_earn's, which follows it, of the publisher's.
create or replace function ledger_settle_run(
  p_run text, p_hold text, p_subtotal bigint, p_fee bigint, p_cost bigint, p_subsidy bigint, p_publisher text, p_absorbed bigint
) returns bigint language plpgsql as $$
declare
  h holds; a accounts; at timestamptz; seal bytea; link bytea; tx bigint; total bigint := p_subtotal + p_fee;
  -- The house legs, from the second: one element each. A leg of zero is left out.
  house_accounts text[]; house_kinds text[]; house_amounts bigint[]; earned bigint := p_subtotal + p_subsidy - p_cost;
begin
  select * into h from holds where id = p_hold and kind = 'run';
  if not found then raise exception 'run % has no hold %', p_run, p_hold; end if;
  select * into a from accounts where id = h.account_id for update;
  select * into h from holds where id = p_hold;
  if h.ended_at is not null then
    -- The row may have been lost and rebuilt meanwhile.
    perform ledger_date_run(p_run, e.created_at) from ledger_legs e where e.kind in ('debit', 'run_cost') and e.subject = p_run limit 1;
    return coalesce((select -e.amount_nanos from ledger_legs e where e.kind = 'debit' and e.subject = p_run), 0);
  end if;
  if least(p_subtotal, p_fee, p_cost, p_subsidy, p_absorbed) < 0 or total > h.amount_nanos or (total + p_subsidy > 0 and p_absorbed > 0) then
    raise exception 'run % holds %, it cannot be charged % and absorb %', p_run, h.amount_nanos, total, p_absorbed;
  end if;
  if p_cost > p_subtotal + p_subsidy or p_subsidy > p_cost then
    raise exception 'run % costs % and a subsidy of %, it cannot pay % to the platform', p_run, p_subtotal, p_subsidy, p_cost;
  end if;
  update holds set state = case when total > 0 then 'settled' else 'released' end, ended_at = now() where id = p_hold;
  if total + p_subsidy + p_absorbed = 0 then return 0; end if;
  at := ledger_posted_at(h.workspace_id);
  tx := nextval('ledger_transaction_ids');
  if total + p_subsidy = 0 then
    seal := ledger_seal(tx, at, ledger_leg(1, ledger_house('consumed', h.workspace_id), h.workspace_id, 'absorbed', p_run, p_absorbed) || ','
      || ledger_leg(2, ledger_house('absorbed', h.workspace_id), null, 'absorbed contra', p_run, -p_absorbed));
    insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, hash, hash_version, created_at)
    values (tx, 1, ledger_house('consumed', h.workspace_id), h.workspace_id, 'absorbed', p_run, p_absorbed, seal, 2, at),
      (tx, 2, ledger_house('absorbed', h.workspace_id), null, 'absorbed contra', p_run, -p_absorbed, null, null, at);
    return 0;
  end if;
  house_accounts := array(select ledger_house(l.account, h.workspace_id)
    from unnest(array['network_fee', 'run_costs', 'subsidies', 'clearing_' || p_publisher]) with ordinality l(account, n) order by l.n);
  house_kinds := array['fee', 'run_cost', 'subsidy', 'earning due'];
  house_amounts := array[p_fee, p_cost, -p_subsidy, earned];
  seal := ledger_seal(tx, at, (
    select string_agg(ledger_leg(l.leg + 1, l.account, null, l.kind, p_run, l.amount), ',' order by l.leg)
    from unnest(house_accounts, house_kinds, house_amounts) with ordinality l(account, kind, amount, leg)
    where l.amount <> 0));
  link := ledger_chain(a.head_hash, seal, 1, a.entry_count + 1, 'debit', p_run, -total, a.posted_nanos - total, h.key_id);
  insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, sequence, balance_after_nanos, hash,
    hash_version, key_id, created_at)
  select tx, 1, a.id, h.workspace_id, 'debit', p_run, -total, a.entry_count + 1, a.posted_nanos - total, link, 2, h.key_id, at
    where total <> 0
  union all select tx, l.leg + 1, l.account, null, l.kind, p_run, l.amount, null, null,
    case when row_number() over (order by l.leg) = 1 then seal end, case when row_number() over (order by l.leg) = 1 then 2 end, null, at
    from unnest(house_accounts, house_kinds, house_amounts) with ordinality l(account, kind, amount, leg)
    where l.amount <> 0;
  if earned > 0 then perform ledger_earn(p_run, h.workspace_id, p_publisher, earned, at); end if;
  perform ledger_date_run(p_run, at);
  if total = 0 then return 0; end if;
  update accounts set posted_nanos = posted_nanos - total, entry_count = entry_count + 1, head_hash = link where id = a.id;
  insert into key_days as d (key_id, day, workspace_id, spent_nanos) values (h.key_id, h.day, h.workspace_id, total)
    on conflict (key_id, day) do update set spent_nanos = d.spent_nanos + excluded.spent_nanos;
  perform ledger_count_project(h.project_id, h.day, h.workspace_id, total);
  return total;
end
$$;
