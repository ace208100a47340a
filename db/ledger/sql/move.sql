-- Moves money between two house accounts, in one sealed transaction. `(kind, subject)` is its key, so it happens once.
create or replace function ledger_move(p_kind text, p_subject text, p_from text, p_to text, p_amount bigint) returns void
language plpgsql as $$
declare
  tx bigint := nextval('ledger_transaction_ids'); seal bytea;
begin
  if p_amount <= 0 then raise exception 'an amount of % can not be moved', p_amount; end if;
  seal := ledger_seal(tx, transaction_timestamp(), ledger_leg(1, p_from, null, p_kind, p_subject, -p_amount) || ','
    || ledger_leg(2, p_to, null, p_kind || ' contra', p_subject, p_amount));
  insert into ledger_legs (transaction_id, leg, account_id, kind, subject, amount_nanos, hash, hash_version)
  values (tx, 1, p_from, p_kind, p_subject, -p_amount, seal, 2), (tx, 2, p_to, p_kind || ' contra', p_subject, p_amount, null, null);
end
$$;
