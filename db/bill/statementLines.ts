import { nextMonthOf } from '../accounting/statement.ts';
import { boundaryOf } from '../ledger/entryBoundaries.ts';
import type { Rows } from '../postgres/rows.ts';
import { linesOf, type EntryRange } from './entryLines.ts';
import { isPlaced, signedDay, type SignedDay } from './receipts.ts';
import { readRoots } from './roots.ts';

/** A month of an account for export: the state before it, its signed days, and the entries after the last signed day. */
interface Plan {
  opening: SignedDay | null;
  days: { root: { signed: string; signature: string }; range: EntryRange | null; day: SignedDay['day'] | null }[];
  rest: EntryRange;
}

/**
 * A month (`YYYY-MM`, UTC) of an account for a checker without access: lines of JSON. First `statement`, with the last signed day before
 * the month; each day's entries, then `ledger.day` with the proof of the account's day, then the signed `ledger.root`; entries of
 * unsigned days; last `end`, with the closing balance. While the end of the month before is not signed, its entries are included too.
 */
export async function* readStatementLines(
  everywhere: Rows<undefined>,
  account: { workspaceId: string; accountId: string },
  month: string,
): AsyncGenerator<string> {
  const { opening, days, rest } = await planOf(everywhere, account, month);
  const { accountId } = account;
  yield JSON.stringify({ object: 'statement', account: accountId, month, opening });
  let last = opening?.day.leaf ?? EMPTY;
  const read = async function* (range: EntryRange) {
    // A connection for each page: the reader may be slow.
    for (let { first } = range; first <= range.last; first += PAGE_ENTRIES) {
      const end = first + PAGE_ENTRIES - 1n;
      const page = { ...range, first, last: end < range.last ? end : range.last };
      const lines = await everywhere.statement(({ client, archive }) => linesOf(client, page, archive));
      yield* lines;
    }
  };
  for (const { range, day, root } of days) {
    if (range) for await (const line of read(range)) yield (last = line);
    if (day) yield JSON.stringify({ object: 'ledger.day', ...day });
    yield JSON.stringify({ object: 'ledger.root', ...root });
  }
  for await (const line of read(rest)) yield (last = line);
  const { sequence, balance_nanos, hash } = JSON.parse(last) as Record<string, unknown>;
  yield JSON.stringify({ object: 'end', account: accountId, sequence, balance_nanos, hash });
}

const PAGE_ENTRIES = 1_024n;
const EMPTY = JSON.stringify({ sequence: 0, balance_nanos: '0', hash: null });

function planOf(
  everywhere: Rows<undefined>,
  { workspaceId, accountId }: { workspaceId: string; accountId: string },
  month: string,
): Promise<Plan> {
  return everywhere.transaction(async (tx) => {
    const { em, BillDay } = tx;
    const [start, end] = [`${month}-01`, nextMonthOf(month)];
    const placed = { workspaceId, place: { $ne: null } };
    const last = { orderBy: { day: 'desc' as const }, limit: 1 };
    const before = (await em.find(BillDay, { ...placed, day: { $lt: start } }, last)).filter(isPlaced);
    const within = { ...placed, day: { $gte: start, $lt: end } };
    const own = (await em.find(BillDay, within, { orderBy: { day: 'asc' } })).filter(isPlaced);
    const roots = await readRoots(tx, start, end);
    const days: Plan['days'] = [];
    for (const root of roots) {
      const day = own.find((one) => one.day === root.date);
      const range = day && { accountId, first: day.firstSequence, last: day.lastSequence };
      const signed = { signed: root.signed, signature: root.signature };
      days.push({ root: signed, range: range ?? null, day: day ? (await signedDay(tx, day)).day : null });
    }
    const signedUpTo = own.at(-1)?.lastSequence ?? before[0]?.lastSequence ?? 0n;
    const isWhole = roots.at(-1)?.date === dayBefore(end);
    const lastSequence = isWhole ? signedUpTo : BigInt(await boundaryOf(tx, { workspaceId, accountId }, end)) - 1n;
    const opening = before[0] ? await signedDay(tx, before[0]) : null;
    return { opening, days, rest: { accountId, first: signedUpTo + 1n, last: lastSequence } };
  });
}

const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
