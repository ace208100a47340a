import { costNanosOf, timesRates, type Quantities, type Rates } from '../money.ts';
import type { Rows } from '../postgres/rows.ts';
import { isLiveSql } from '../workspaces/mode.ts';

/** What the live calls of the last days cost their callers, and what they would have cost at another price. */
export interface PricePreview {
  days: number;
  requests: number;
  chargedNanos: bigint;
  wouldNanos: bigint;
  units: Quantities;
}

const DAYS = 30;
const PERCENT = 100;

/** Sums the charged live calls of a model. A refunded call counts as it was charged at first. */
export async function previewPrice(
  everywhere: Rows<undefined>,
  { model, rates, batchPercentage }: { model: string; rates: Rates; batchPercentage: number | null },
): Promise<PricePreview> {
  const { rows } = await everywhere.statement(({ client }) => client.query<SummedRow>(SUMS, [model, DAYS]));
  const parts = new Map<string, SummedPart>();
  for (const { kind, unit, quantity, requests, chargedNanos } of rows) {
    const part = parts.get(kind) ?? { requests: Number(requests), chargedNanos: BigInt(chargedNanos), units: {} };
    const billed = unit === null ? undefined : billedUnit(unit, rates);
    if (billed !== undefined) part.units[billed] = (part.units[billed] ?? 0) + Number(quantity);
    parts.set(kind, part);
  }
  const ratesOf = (kind: string) =>
    kind === 'batch' && batchPercentage !== null ? timesRates(rates, batchPercentage / PERCENT) : rates;
  const wouldNanos = [...parts].reduce((sum, [kind, { units }]) => sum + costNanosOf(units, ratesOf(kind)), 0n);
  const all = [...parts.values()];
  return {
    days: DAYS,
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
    chargedNanos: all.reduce((sum, part) => sum + part.chargedNanos, 0n),
    wouldNanos,
    units: all.reduce<Quantities>((sum, { units }) => plus(sum, units), {}),
  };
}

/** Cached parts of a prompt without their own price cost as much as the rest. */
function billedUnit(unit: string, rates: Rates): string | undefined {
  if (rates[unit] !== undefined) return unit;
  return unit === 'cached_input_tokens' || unit === 'cache_write_tokens' ? 'input_tokens' : undefined;
}

interface SummedRow {
  kind: string;
  unit: string | null;
  quantity: string;
  requests: string;
  chargedNanos: string;
}

interface SummedPart {
  requests: number;
  chargedNanos: bigint;
  units: Quantities;
}

function plus(one: Quantities, other: Quantities): Quantities {
  const sum = { ...one };
  for (const [unit, quantity] of Object.entries(other)) sum[unit] = (sum[unit] ?? 0) + quantity;
  return sum;
}

// Raw: hours that are summed already, and the calls since; the sums of a workspace end at its own mark.
const SUMS = `
with calls as (
  select h.product = 'batch' as in_batch, h.requests, h.cost_nanos, h.units
  from usage_hours h where h.model = $1 and h.hour >= now() - $2 * interval '1 day' and ${isLiveSql('h.workspace_id')}
  union all
  select q.product = 'batch', 1, q.cost_nanos, q.usage
  from requests q left join usage_rollups u on u.workspace_id = q.workspace_id
  where q.model = $1 and q.cost_nanos > 0 and q.settled_at >= now() - $2 * interval '1 day'
    and q.settled_at >= coalesce(u.summed_until, '-infinity') and ${isLiveSql('q.workspace_id')}),
kinds as (
  select in_batch, sum(requests) as requests, sum(cost_nanos) as nanos from calls group by 1),
units as (
  select c.in_batch, u.unit, sum(u.quantity::numeric) as quantity from calls c, jsonb_each_text(c.units) u(unit, quantity) group by 1, 2)
select case when k.in_batch then 'batch' else 'live' end as kind, u.unit, coalesce(u.quantity, 0)::text as quantity,
  k.requests::text as requests, k.nanos::text as "chargedNanos"
from kinds k left join units u on u.in_batch = k.in_batch`;
