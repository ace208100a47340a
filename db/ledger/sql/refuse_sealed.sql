-- Trigger of a sealed month's partitions: their rows are final.
create or replace function ledger_refuse_sealed() returns trigger language plpgsql as $$
begin
  raise exception 'the month of % is sealed: post a transaction of its own instead', tg_table_name;
end
$$;
