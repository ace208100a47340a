-- Makes the numbers of an account's entries unique within a new partition. A key of all partitions would have to contain the subject; across
-- partitions, numbers are unique because each is counted on the account's locked row (`accounts.entry_count`), and `ledger check` proves it.
create or replace function ledger_number_partition(p_name text) returns void language plpgsql as $$
begin
  execute format('create unique index %I on %I (account_id, sequence)', p_name || '_account_sequence_unique', p_name);
end
$$;
revoke execute on function ledger_number_partition from public;
