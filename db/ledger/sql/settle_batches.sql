-- Settles the requests of batches written as columns, and ends the batches, as ledger_settle does: the sums over all of them and each
-- request's place in p_accounts come from the writer. Fails as a whole when a batch is gone or differs from what was written.
create or replace function ledger_settle_batches(
  p_batches text[], p_accounts text[], p_holds text[], p_totals bigint[], p_billed boolean[], p_flushed text[], p_account_of int[]
) returns void language plpgsql as $$
declare
  lines text[]; ids text[];
begin
  perform from settlement_batches b where b.id = any (p_batches) order by b.id collate "C" for update;
  with ended as (delete from settlement_batches b where b.id = any (p_batches) returning b.id, string_to_array(b.settlements, E'\n') as columns)
  select array_agg(e.columns order by array_position(p_batches, e.id)) into lines from ended e;
  if array_length(lines, 1) is distinct from cardinality(p_batches) then
    raise exception 'somebody else has posted a batch of these settlements';
  end if;
  ids := string_to_array(array_to_string(lines[:][1:1], E'\t'), E'\t', '');
  if array_length(lines, 2) <> 17 or cardinality(ids) <> cardinality(p_account_of) then
    raise exception 'a batch of these settlements is not what was written';
  end if;
  perform ledger_settle(p_accounts, p_holds, p_totals, p_billed, p_flushed, p_account_of, ids,
    string_to_array(array_to_string(lines[:][2:2], E'\t'), E'\t', ''), string_to_array(array_to_string(lines[:][4:4], E'\t'), E'\t', ''), ('{' || array_to_string(lines[:][6:6], ',') || '}')::bigint[], ('{' || array_to_string(lines[:][7:7], ',') || '}')::bigint[], string_to_array(array_to_string(lines[:][8:8], E'\t'), E'\t', ''), string_to_array(array_to_string(lines[:][9:9], E'\t'), E'\t', ''), ('{' || array_to_string(lines[:][10:10], ',') || '}')::int[], ('{' || array_to_string(lines[:][11:11], ',') || '}')::boolean[], string_to_array(array_to_string(lines[:][12:12], E'\t'), E'\t', '')::jsonb[], ('{' || array_to_string(lines[:][13:13], ',') || '}')::bigint[], ('{' || array_to_string(lines[:][14:14], ',') || '}')::timestamptz[], ('{' || array_to_string(lines[:][15:15], ',') || '}')::int[], ('{' || array_to_string(lines[:][16:16], ',') || '}')::int[], ('{' || array_to_string(lines[:][17:17], ',') || '}')::int[]);
end
$$;
