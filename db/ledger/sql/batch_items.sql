-- The settlements of a batch, in order, each as JSON with the names of the type ledger_settlement. A batch is either JSON (leftovers,
-- refusals, recorded streams) or one line per column: texts separated by tabs, everything else by commas.
create or replace function ledger_batch_items(p_settlements text) returns setof json language plpgsql stable as $$
declare
  c text[];
begin
  if p_settlements like '[%' then
    return query select json_array_elements(p_settlements::json);
    return;
  end if;
  c := string_to_array(p_settlements, E'\n');
  return query select row_to_json(row(i.*)::ledger_settlement) from unnest(string_to_array(c[1], E'\t', ''), string_to_array(c[2], E'\t', ''), string_to_array(c[3], E'\t', ''), string_to_array(c[4], E'\t', ''), string_to_array(c[5], E'\t', ''), ('{' || c[6] || '}')::bigint[], ('{' || c[7] || '}')::bigint[], string_to_array(c[8], E'\t', ''), string_to_array(c[9], E'\t', ''), ('{' || c[10] || '}')::int[], ('{' || c[11] || '}')::boolean[], string_to_array(c[12], E'\t', '')::jsonb[], ('{' || c[13] || '}')::bigint[], ('{' || c[14] || '}')::timestamptz[], ('{' || c[15] || '}')::int[], ('{' || c[16] || '}')::int[], ('{' || c[17] || '}')::int[]) i;
end
$$;
