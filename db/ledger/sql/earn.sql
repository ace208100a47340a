-- The second half of a run's settlement: what its publisher has earned leaves the publisher's clearing account, to which the first half
-- (settle_run) has moved it. A transaction of its own, so that none is of two workspaces; once per run. The publisher's account gets an entry and
-- no lock, so that runs of one agent do not wait for each other. False: it was done before. The seal is in the leg of the clearing account:
-- the last release looks for the seal of a debit in the leg `earning`, where it was before there were two halves.
create or replace function ledger_earn(
  p_run text, p_caller text, p_publisher text, p_amount bigint, p_at timestamptz
) returns boolean language plpgsql as $$
declare
  clearing text := ledger_house('clearing_' || p_publisher, p_caller); payable text := ledger_house('payable_' || p_publisher, p_caller);
  -- A test run earns its publisher nothing.
  publisher text := case when payable <> 'test_payable' then p_publisher end;
  tx bigint; seal bytea;
begin
  if p_amount <= 0 then raise exception 'a publisher cannot earn %', p_amount; end if;
  if exists (select from ledger_legs e where e.subject = p_run and e.kind = 'earning') then return false; end if;
  insert into accounts (id, kind) select a, 'house' from unnest(array[clearing, payable]) a
    where not exists (select from accounts o where o.id = a) on conflict do nothing;
  tx := nextval('ledger_transaction_ids');
  seal := ledger_seal(tx, p_at, ledger_leg(1, clearing, null, 'earning contra', p_run, -p_amount) || ','
    || ledger_leg(2, payable, publisher, 'earning', p_run, p_amount));
  insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, hash, hash_version, created_at)
  values (tx, 1, clearing, null, 'earning contra', p_run, -p_amount, seal, 2, p_at),
    (tx, 2, payable, publisher, 'earning', p_run, p_amount, null, null, p_at);
  return true;
end
$$;
