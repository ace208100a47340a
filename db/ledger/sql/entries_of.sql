-- The entries of a month as a query in parentheses, of its partitions: like the view `ledger_entries`, a row of a call that was not charged has
-- no kind.
create or replace function ledger_entries_of(p_calls text, p_legs text) returns text language sql stable as $$
  select format('(select transaction_id, leg, account_id, kind, subject, amount_nanos, sequence, balance_after_nanos, hash, created_at from %I
    union all select transaction_id, leg, account_id, case when sequence is not null then ''debit'' end, id, -debited_nanos, sequence,
      balance_after_nanos, hash, settled_at from %I)', p_legs, p_calls)
$$;
