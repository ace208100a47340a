-- Trigger: a table is append-only. Corrections of the ledger are new transactions.
create or replace function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: post a reversing transaction instead', tg_table_name;
end
$$;
