import type { Queryable } from '../postgres/queryable.ts';

/** Entries of an account, from one sequence to another (inclusive). */
export interface EntryRange {
  accountId: string;
  first: bigint;
  last: bigint;
}

const PAGE_ENTRIES = 2_048n;

/**
 * The entries of a range in the form covered by a day's root: one line of JSON each, always the same bytes, with the fields of its hash
 * and the usage of the call or run. In pages, each with its own query: entries never change.
 */
export async function* readEntryLines(
  client: Queryable,
  { accountId, first, last }: EntryRange,
  archive?: LineArchive,
): AsyncGenerator<string[]> {
  for (let from = first; from <= last; from += PAGE_ENTRIES) {
    const to = from + PAGE_ENTRIES - 1n < last ? from + PAGE_ENTRIES - 1n : last;
    const { rows } = await client.query<EntryRow>({
      name: 'bill_entries',
      text: ENTRIES,
      values: [accountId, from, to],
    });
    const isWhole = archive === undefined || BigInt(rows.length) === to - from + 1n;
    yield isWhole ? rows.map(lineOf) : await completed(client, rows, { accountId, first: from, last: to }, archive);
  }
}

/** Where the entries of archived months are. */
export interface LineArchive {
  /** The lines of a range that it has, by their numbers. */
  linesOf(client: Queryable, range: EntryRange): Promise<Map<bigint, string>>;
}

/** The lines of a page, of which the archive has some. */
async function completed(
  client: Queryable,
  rows: EntryRow[],
  range: EntryRange,
  archive: LineArchive,
): Promise<string[]> {
  const archived = await archive.linesOf(client, range);
  for (const row of rows) archived.set(BigInt(row.sequence), lineOf(row));
  return [...archived].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
}

/** The lines of a short range. */
export const linesOf = async (client: Queryable, range: EntryRange, archive?: LineArchive): Promise<string[]> =>
  (await Array.fromAsync(readEntryLines(client, range, archive))).flat();

/** An entry with the seal of its transaction and what it was for; amounts as text, hashes in hexadecimal. */
export type EntryRow = Record<
  'account' | 'sequence' | 'kind' | 'subject' | 'amount' | 'balance' | 'at' | 'hash',
  string
> &
  Record<'key' | 'seal' | 'route' | 'model' | 'usage' | 'price' | 'agent' | 'agent_version', string | null> &
  Record<'leg' | 'version', number>;

/** The line of an entry. */
export function lineOf(row: EntryRow): string {
  const facts = JSON.stringify({
    object: 'ledger.entry',
    account: row.account,
    sequence: Number(row.sequence),
    leg: row.leg,
    kind: row.kind,
    subject: row.subject,
    amount_nanos: row.amount,
    balance_nanos: row.balance,
    key_id: row.key,
    created_at: row.at,
    hash_version: row.version,
    seal: row.seal,
    hash: row.hash,
  });
  // The database's own text, which is always the same: parsed and written again, numbers might differ.
  return `${facts.slice(0, -1)},"consumed":${consumedText(row)}}`;
}

function consumedText({ route, model, agent, agent_version: version, price, usage }: EntryRow): string {
  if (usage === null) return 'null';
  const what = JSON.stringify(agent === null ? { route, model, price_id: price } : { agent, version });
  return `${what.slice(0, -1)},"usage":${usage}}`;
}

/** SQL of what an entry `e` was for, with `USED_JOINS`. */
export const USED = {
  seal: 's.hash',
  route: 'coalesce(b.route, q.route)',
  model: 'coalesce(b.model, q.model)',
  price: 'case when b.request_id is null then q.price_id else b.price_id end',
  usage: `coalesce(b.usage::text, q.usage::text, case when r.id is not null then coalesce((select jsonb_agg(jsonb_build_object('meter', u.meter,
    'quantity_thousandths', u.quantity_thousandths::text, 'cost_nanos', u.cost_nanos::text) order by u.meter collate "C")
    from run_usage u where u.run_id = r.id), '[]')::text end)`,
};

// Raw: joins of each entry with the row that seals its transaction, found by its primary key, and with its usage. A correction covers the
// request as it is, and the debit before it covers the replaced bill.
export const USED_JOINS = `
  left join requests q on q.id = e.subject and e.kind in ('debit', 'correction')
  left join replaced_bills b on b.request_id = e.subject and e.kind = 'debit'
  left join runs r on r.id = e.subject and e.kind = 'debit'
  left join lateral (select h.hash from ledger_legs h
    where h.kind = any (case when e.kind <> 'debit' then array[e.kind || ' contra'] when r.id is null then array['revenue']
        else array['fee', 'earning', 'run_cost', 'subsidy', 'earning due'] end)
      and h.subject = any (case when e.kind <> 'debit' or r.id is not null then array[e.subject] else array['settlement ' || e.transaction_id,
        (select m.first_id from ledger_months m where m.first_id <= e.subject order by m.first_id desc limit 1) || ' settlement ' || e.transaction_id] end)
      and h.sequence is null and h.hash is not null limit 1) s on true`;

const ENTRIES = `
select e.account_id as account, e.sequence, e.leg, e.kind, e.subject, e.amount_nanos as amount, e.balance_after_nanos as balance,
  e.key_id as key, to_char(e.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, coalesce(e.hash_version, 1) as version,
  encode(e.hash, 'hex') as hash, encode(${USED.seal}, 'hex') as seal, ${USED.route} as route, ${USED.model} as model,
  ${USED.price} as price, r.agent, r.version as agent_version, ${USED.usage} as usage
from ledger_entries e ${USED_JOINS}
where e.account_id = $1 and e.sequence between $2 and $3 order by e.sequence`;
