-- Ends a run's hold: debits subtotal and fee together, pays the publisher and the platform, and counts the sum towards the key's day of the
-- hold. A failed run is charged nothing: its consumption moves between house accounts. A hold that has ended was settled before: then only
-- the charge is returned. The publisher's account gets an entry and no lock, so that runs of one agent do not wait for each other.
create or replace function ledger_settle_run(
  p_run text, p_hold text, p_subtotal bigint, p_fee bigint, p_publisher text, p_absorbed bigint
) returns bigint language plpgsql as $$
declare
  h holds; a accounts; link bytea; tx bigint; total bigint := p_subtotal + p_fee;
begin
  select * into h from holds where id = p_hold and kind = 'run';
  if not found then raise exception 'run % has no hold %', p_run, p_hold; end if;
  select * into a from accounts where id = h.account_id for update;
  select * into h from holds where id = p_hold;
  if h.ended_at is not null then
    return coalesce((select -e.amount_nanos from ledger_entries e where e.kind = 'debit' and e.subject = p_run), 0);
  end if;
  if p_subtotal < 0 or p_fee < 0 or p_absorbed < 0 or total > h.amount_nanos or (total > 0 and p_absorbed > 0) then
    raise exception 'run % holds %, it cannot be charged % and absorb %', p_run, h.amount_nanos, total, p_absorbed;
  end if;
  update holds set state = case when total > 0 then 'settled' else 'released' end, ended_at = now() where id = p_hold;
  if total + p_absorbed = 0 then return 0; end if;
  tx := nextval('ledger_transaction_ids');
  if total = 0 then
    insert into ledger_entries (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos)
    values (tx, 1, 'consumed', h.workspace_id, 'absorbed', p_run, p_absorbed), (tx, 2, 'absorbed', null, 'absorbed contra', p_run, -p_absorbed);
    return 0;
  end if;
  if not exists (select from accounts where id = 'payable_' || p_publisher) then
    insert into accounts (id, kind) values ('payable_' || p_publisher, 'house') on conflict do nothing;
  end if;
  link := ledger_link(a.head_hash, a.entry_count + 1, 'debit', p_run, -total, a.posted_nanos - total);
  insert into ledger_entries (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, sequence, balance_after_nanos, hash, key_id)
  select tx, l.* from (values
    (1, a.id, h.workspace_id, 'debit', p_run, -total, a.entry_count + 1, a.posted_nanos - total, link, h.key_id),
    (2, 'network_fee', null, 'fee', p_run, p_fee, null, null, null, null),
    (3, 'payable_' || p_publisher, p_publisher, 'earning', p_run, p_subtotal, null, null, null, null)
  ) l(leg, account, workspace, kind, subject, amount, sequence, after, hash, key) where l.amount <> 0;
  update accounts set posted_nanos = posted_nanos - total, entry_count = entry_count + 1, head_hash = link where id = a.id;
  insert into key_days as d (key_id, day, workspace_id, spent_nanos) values (h.key_id, h.day, h.workspace_id, total)
    on conflict (key_id, day) do update set spent_nanos = d.spent_nanos + excluded.spent_nanos;
  return total;
end
$$;
