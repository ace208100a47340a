-- Moves money between a customer and a house account, once per (kind, subject). False: it was done before. A reversal of a payment
-- (p_reversal) may make the balance negative, or smaller than what is held; nothing else may. A test workspace's money moves to and from
-- house accounts of its own, at its own time.
create or replace function ledger_post(
  p_kind text, p_subject text, p_workspace text, p_house text, p_amount bigint, p_reversal boolean default false
) returns boolean language plpgsql as $$
declare
  a accounts; held bigint; at timestamptz; seal bytea; link bytea; tx bigint; house text := ledger_house(p_house, p_workspace);
begin
  select * into a from accounts where workspace_id = p_workspace for update;
  if not found then raise exception 'no account for workspace %', p_workspace; end if;
  if exists (select from ledger_legs e where e.kind = p_kind and e.subject = p_subject) then return false; end if;
  select coalesce(sum(h.amount_nanos), 0) into held from holds h where h.account_id = a.id and h.state = 'open';
  if not p_reversal and p_amount < 0 and a.posted_nanos + p_amount < held then raise exception 'the balance does not cover this'; end if;
  at := ledger_posted_at(p_workspace);
  tx := nextval('ledger_transaction_ids');
  seal := ledger_seal(tx, at, ledger_leg(2, house, null, p_kind || ' contra', p_subject, -p_amount));
  link := ledger_chain(a.head_hash, seal, 1, a.entry_count + 1, p_kind, p_subject, p_amount, a.posted_nanos + p_amount, null);
  insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, sequence, balance_after_nanos, hash,
    hash_version, created_at)
  values (tx, 1, a.id, p_workspace, p_kind, p_subject, p_amount, a.entry_count + 1, a.posted_nanos + p_amount, link, 2, at),
    (tx, 2, house, null, p_kind || ' contra', p_subject, -p_amount, null, null, seal, 2, at);
  update accounts set posted_nanos = posted_nanos + p_amount, entry_count = entry_count + 1, head_hash = link,
    reversed_nanos = reversed_nanos - case when p_reversal then p_amount else 0 end where id = a.id;
  return true;
end
$$;
