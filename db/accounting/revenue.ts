import { CALL_UNITS } from '../catalog/catalogFile.ts';
import type { CostOf } from '../catalog/costRanks.ts';
import type { Product } from '../catalog/products.ts';
import { costNanosOf, type Quantities, type Rates } from '../money.ts';
import { PLAN_WHOLE_TABLES } from '../postgres/planning.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { transactionTime } from '../postgres/transaction.ts';
import { isLiveSql } from '../workspaces/mode.ts';
import { chargesSql } from './revenueDays.ts';

/** Money of live workspaces, in nano-USD. */
export interface RevenueFigures {
  chargedNanos: bigint;
  topupsNanos: bigint;
  /** Payments that were refunded or disputed, of those paid in the time. */
  takenBackNanos: bigint;
  writtenOffNanos: bigint;
  payoutsNanos: bigint;
}

export type RevenueDayFigures = RevenueFigures & { day: string };

/** A model, or an agent by its name, at one upstream. */
export interface RevenueLine {
  product: Product;
  model: string;
  upstream: string;
  calls: number;
  chargedNanos: bigint;
  chargedBeforeNanos: bigint;
  writtenOffNanos: bigint;
  /** What the upstream was paid; null without a stated cost. */
  costNanos: bigint | null;
}

export interface RevenueReport {
  /** One for each day, the oldest first; the last one is today. */
  days: RevenueDayFigures[];
  /** As many days before. The last of them has what it had at this time of the day. */
  daysBefore: RevenueDayFigures[];
  lines: RevenueLine[];
}

const DAY_MS = 86_400_000;

/** What was earned in the last days (UTC), today included, beside as many days before. */
export function readRevenue(
  everywhere: Rows<undefined>,
  { days, costOf }: { days: number; costOf: CostOf },
): Promise<RevenueReport> {
  return everywhere.transaction(async (tx) => {
    await tx.client.query(PLAN_WHOLE_TABLES);
    const now = await transactionTime(tx.client);
    const todayMs = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
    const nameOf = (at: number) => new Date(todayMs - at * DAY_MS).toISOString().slice(0, 10);
    const span = {
      from: nameOf(days - 1),
      before: nameOf(2 * days - 1),
      // The day of the period before that stands beside today, up to this time.
      partial: new Date(todayMs - days * DAY_MS),
      partialUntil: new Date(now.getTime() - days * DAY_MS),
    };
    const charged = await readCharges(tx, span);
    const moved = await readMoves(tx, span);
    const figures = new Map<string, RevenueFigures>(
      Array.from({ length: 2 * days }, (_, at) => [nameOf(at), { ...NOTHING }] as const),
    );
    for (const { day, ...amounts } of [...charged.byDay, ...moved])
      for (const [name, nanos] of Object.entries(amounts)) figures.get(day)![name as keyof RevenueFigures] += nanos;
    const listed = [...figures].map(([day, amounts]) => ({ day, ...amounts })).toReversed();
    const lines = await withCosts(tx, { lines: charged.lines, from: span.from, costOf });
    return { days: listed.slice(days), daysBefore: listed.slice(0, days), lines };
  });
}

const NOTHING: RevenueFigures = {
  chargedNanos: 0n,
  topupsNanos: 0n,
  takenBackNanos: 0n,
  writtenOffNanos: 0n,
  payoutsNanos: 0n,
};

interface Span {
  from: string;
  before: string;
  partial: Date;
  partialUntil: Date;
}

type Amounts = Partial<RevenueFigures> & { day: string };

const NO_CALLS = { calls: 0, chargedNanos: 0n, chargedBeforeNanos: 0n, writtenOffNanos: 0n };

async function readCharges({ client }: AnyTransaction, { from, before, partial, partialUntil }: Span) {
  const { rows } = await client.query<Charge>(CHARGES, [from, before, partial, partialUntil]);
  const byDay: Required<Pick<Amounts, 'day' | 'chargedNanos' | 'writtenOffNanos'>>[] = [];
  const lines = new Map<string, Omit<RevenueLine, 'costNanos'>>();
  for (const { day, isNow, product, model, upstream, calls, charged, off } of rows) {
    const [chargedNanos, writtenOffNanos] = [BigInt(charged), BigInt(off)];
    if (day !== null) byDay.push({ day, chargedNanos, writtenOffNanos });
    else {
      const key = JSON.stringify([product, model, upstream]);
      const line = lines.get(key) ?? { product, model, upstream, ...NO_CALLS };
      const own = isNow ? { calls, chargedNanos, writtenOffNanos } : { chargedBeforeNanos: chargedNanos };
      lines.set(key, { ...line, ...own });
    }
  }
  return { byDay, lines: [...lines.values()] };
}

interface Charge extends Pick<RevenueLine, 'product' | 'model' | 'upstream' | 'calls'> {
  /** Null: a line of the whole period. */
  day: string | null;
  isNow: boolean;
  charged: string;
  off: string;
}

// Of the days that are not summed yet, the calls themselves.
const SUMMED = `summed as (select coalesce((select summed_until from revenue_rollups), $2::date) as until)`;
const midnight = (day: string) => `(${day})::timestamp at time zone 'utc'`;
const later = (day: string) => midnight(`select greatest(${day}, until) from summed`);

// Raw: sums over all workspaces. The last day of the period before is read up to this time of the day.
const CHARGES = `
with ${SUMMED},
cells as (
  select day, product, model, upstream, calls, charged_nanos, written_off_nanos from revenue_days
  where day >= $2::date and day < (select until from summed) and day <> ($3::timestamptz at time zone 'utc')::date
  union all
  select day, product, model, upstream, calls, charged_nanos, written_off_nanos
  from (${chargesSql({ since: later('$2::date'), until: 'now()', hasUnits: false })}) c
  where day <> ($3::timestamptz at time zone 'utc')::date
  union all
  select day, product, model, upstream, calls, charged_nanos, written_off_nanos
  from (${chargesSql({ since: '$3', until: '$4', hasUnits: false })}) p)
select day::text, is_now as "isNow", product, model, upstream, sum(calls)::int as calls, sum(charged_nanos)::bigint::text as charged,
  sum(written_off_nanos)::bigint::text as off
from (select *, day >= $1::date as is_now from cells) c
group by grouping sets ((day), (is_now, product, model, upstream))`;

async function readMoves({ client }: AnyTransaction, { before, partial, partialUntil }: Span): Promise<Amounts[]> {
  const { rows } = await client.query<{ day: string; topups: string; takenBack: string; payouts: string }>(MOVES, [
    before,
    partial,
    partialUntil,
  ]);
  return rows.map(({ day, topups, takenBack, payouts }) => ({
    day,
    topupsNanos: BigInt(topups),
    takenBackNanos: BigInt(takenBack),
    payoutsNanos: BigInt(payouts),
  }));
}

// Raw: sums of two tables.
const MOVES = `
with moves as (
  select paid_at as at, amount_nanos as topup, refunded_nanos + disputed_nanos as taken, 0 as payout from topups
  where status = 'paid' and paid_at >= ${midnight('$1::date')} and ${isLiveSql('workspace_id')}
  union all
  select coalesce(decided_at, created_at), 0, 0, amount_nanos from payouts
  where status in ('paid', 'sent') and coalesce(decided_at, created_at) >= ${midnight('$1::date')} and ${isLiveSql('workspace_id')})
select (at at time zone 'utc')::date::text as day, sum(topup)::bigint::text as topups, sum(taken)::bigint::text as "takenBack",
  sum(payout)::bigint::text as payouts
from moves where at < now() and not (at >= $3 and at < $2::timestamptz + interval '1 day') group by 1`;

/** Lines with what the upstreams were paid, where that is stated. */
async function withCosts(
  { client }: AnyTransaction,
  { lines, from, costOf }: { lines: Omit<RevenueLine, 'costNanos'>[]; from: string; costOf: CostOf },
): Promise<RevenueLine[]> {
  const stated = lines.filter(({ model, upstream }) => costOf(model, upstream) !== undefined);
  const values = [stated.map(({ model }) => model), from];
  const { rows } = stated.length === 0 ? { rows: [] } : await client.query<Units>(UNITS, values);
  const byLine = new Map(rows.map(({ product, model, upstream, units }) => [`${product} ${model} ${upstream}`, units]));
  return lines.map((line) => {
    const { product, model, upstream } = line;
    const rates = costOf(model, upstream);
    const units = byLine.get(`${product} ${model} ${upstream}`) ?? {};
    return { ...line, costNanos: rates ? costIn(units, rates) : null };
  });
}

/** The cost of the units that have one: an upstream does not charge for the others. */
const costIn = (units: Quantities, rates: Rates): bigint =>
  costNanosOf(Object.fromEntries(Object.entries(units).filter(([unit]) => unit in rates)), rates);

interface Units {
  product: string;
  model: string;
  upstream: string;
  units: Record<string, number>;
}

const unitsObject = CALL_UNITS.map((unit) => `'${unit}', sum((c.units ->> '${unit}')::numeric)`).join(', ');

const UNITS = `
with summed as (select coalesce((select summed_until from revenue_rollups), $2::date) as until)
select product, model, upstream, jsonb_strip_nulls(jsonb_build_object(${unitsObject})) as units
from (
  select product, model, upstream, units from revenue_days
  where day >= $2::date and day < (select until from summed) and model = any ($1)
  union all
  select product, model, upstream, units from (${chargesSql({ since: later('$2::date'), until: 'now()', hasUnits: true })}) l
  where model = any ($1)) c
group by 1, 2, 3`;
