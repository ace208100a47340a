import { Migration } from '@mikro-orm/migrations';

/**
 * Batches are posted from their own rows. A process writes a batch once, as columns, and names it when it is to be posted: the same
 * settlements were sent twice before, as JSON to be kept and as columns to be posted.
 */
export class Migration20261122125000_posted_from_rows extends Migration {
  override name = 'Migration20261122125000_posted_from_rows';

  override up(): void {
    this.addSql(BATCH_ITEMS);
    this.addSql(SETTLE_BATCHES);
    this.addSql(POST_BATCHES);
  }
}

// Of the type `ledger_settlement`, in its order.
const COLUMNS = [
  ...['text', 'text', 'text', 'text', 'text', 'bigint', 'bigint', 'text', 'text'],
  ...['int', 'boolean', 'jsonb', 'bigint', 'timestamptz', 'int', 'int', 'int'],
];
// What `ledger_settle` takes of them after the ids: all but the accounts and the holds, which it takes once each.
const OTHERS_OF_SETTLE = [1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

const separatorOf = (column: number) => (['text', 'jsonb'].includes(COLUMNS[column]!) ? `E'\\t'` : `','`);

/** A column as an array, from the expression for its line. */
function arrayOf(column: number, line: string): string {
  const type = COLUMNS[column]!;
  if (separatorOf(column) === `','`) return `('{' || ${line} || '}')::${type}[]`;
  return `string_to_array(${line}, ${separatorOf(column)}, '')${type === 'text' ? '' : `::${type}[]`}`;
}

/** The same of all batches together. */
const arrayOfAll = (column: number): string =>
  arrayOf(column, `array_to_string(lines[:][${column + 1}:${column + 1}], ${separatorOf(column)})`);

/**
 * The settlements of a batch, in its order, each as JSON with the names of \`ledger_settlement\`. A batch is either JSON (what was left of one, what
 * was refused, what was recorded of streams), or a line for each column: texts with tabs between them, all else with commas.
 */
const BATCH_ITEMS = `
create function ledger_batch_items(p_settlements text) returns setof json language plpgsql stable as $$
declare
  c text[];
begin
  if p_settlements like '[%' then
    return query select json_array_elements(p_settlements::json);
    return;
  end if;
  c := string_to_array(p_settlements, E'\\n');
  return query select row_to_json(row(i.*)::ledger_settlement) from unnest(${COLUMNS.map((_, at) => arrayOf(at, `c[${at + 1}]`)).join(', ')}) i;
end $$;
`;

/**
 * Settles the requests of batches that are written as columns, and ends the batches, as \`ledger_settle\` does: the sums over all of them and each
 * request's place in \`p_accounts\` come from whoever has written them. Fails as a whole where a batch is gone or not what was written.
 */
const SETTLE_BATCHES = `
create function ledger_settle_batches(p_batches text[], p_accounts text[], p_holds text[], p_totals bigint[], p_billed boolean[], p_flushed text[],
  p_account_of int[]) returns void language plpgsql as $$
declare
  lines text[]; ids text[];
begin
  -- Batches are locked before accounts, by everybody.
  with ended as (delete from settlement_batches b where b.id = any (p_batches) returning b.id, string_to_array(b.settlements, E'\\n') as columns)
  select array_agg(e.columns order by array_position(p_batches, e.id)) into lines from ended e;
  if array_length(lines, 1) is distinct from cardinality(p_batches) then
    raise exception 'somebody else has posted a batch of these settlements';
  end if;
  ids := ${arrayOfAll(0)};
  if array_length(lines, 2) <> ${COLUMNS.length} or cardinality(ids) <> cardinality(p_account_of) then
    raise exception 'a batch of these settlements is not what was written';
  end if;
  perform ledger_settle('{}', p_accounts, p_holds, p_totals, p_billed, p_flushed, p_account_of, ids,
    ${OTHERS_OF_SETTLE.map(arrayOfAll).join(', ')});
end $$;
`;

/** As it was, but for how it reads a batch. */
const POST_BATCHES = `
create or replace function ledger_post_batches(p_ids text[], p_limit interval) returns table (request_id text, charged_nanos bigint) language plpgsql as $$
declare
  b settlement_batches; item json; rest json[]; refused boolean; until timestamptz;
begin
  if cardinality(p_ids) = 0 then return; end if;
  perform from settlement_batches s where s.id = any (p_ids) order by s.id collate "C" for update;
  perform from accounts a where a.id = any (array(
    select distinct e ->> 'account' from settlement_batches s, ledger_batch_items(s.settlements) e where s.id = any (p_ids)))
    order by a.id collate "C" for update;
  for b in select * from settlement_batches s where s.id = any (p_ids) order by s.id collate "C" loop
    rest := '{}'; refused := false;
    for item in select * from ledger_batch_items(b.settlements) loop
      if clock_timestamp() > until then rest := rest || item; continue; end if;
      begin
        select a.request_id, a.charged_nanos into request_id, charged_nanos
          from ledger_settle_again(json_build_array(item), array[item ->> 'id']) a;
        return next;
      exception when data_exception or integrity_constraint_violation or raise_exception then
        refused := true;
        delete from request_progress g where g.request_id = item ->> 'id';
        update holds set state = 'released', ended_at = now() where id = item ->> 'hold' and kind = 'request' and ended_at is null;
        insert into settlement_batches as s (id, process_id, settlements, refusal)
          select 'refused_' || (item ->> 'id'), b.process_id,
            json_build_array(json_object_agg(f.key, case f.key when 'hold' then '""'::json else f.value end))::text, sqlerrm from json_each(item) f
          on conflict (id) do update set refusal = excluded.refusal;
        raise warning 'the settlement % of batch % was refused: %', item ->> 'id', b.id, sqlerrm;
      end;
      until := coalesce(until, clock_timestamp() + p_limit);
    end loop;
    if cardinality(rest) > 0 then update settlement_batches s set settlements = array_to_json(rest)::text where s.id = b.id;
    elsif b.refusal is null or not refused then delete from settlement_batches s where s.id = b.id; end if;
  end loop;
end $$;
`;
