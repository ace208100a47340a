-- Trigger: ledger_entries is append-only. Corrections are new transactions.
create or replace function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger_entries is append-only: post a reversing transaction instead';
end
$$;
