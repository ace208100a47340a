import type { InferEntity } from '@mikro-orm/core';
import type { ModelPrice } from '../entities/ledger.ts';
import type { Run, RunUsage } from '../entities/run.ts';
import { findLedgerEntry, listEntriesOf, type WorkspaceEntry } from '../ledger/ledgerEntries.ts';
import { linePicosOf, picosOfUsd, roundHalfUp, PICOS_PER_NANO } from '../money.ts';
import { findPriceAt } from '../liveCatalog/priceHistory.ts';
import type { PriceRow } from '../liveCatalog/proposals.ts';
import { findEvent } from '../events/readEvents.ts';
import type { Rows } from '../postgres/rows.ts';
import { findRequest, type EndedRequest } from './requests.ts';

/** What can be explained by its id: a call, a run, a ledger entry or an event. */
export type Subject = { type: 'request' | 'run' | 'entry' | 'event'; id: string };

/** A part of a bill. Amounts are pico-USD; quantity and price are null for a part without a unit price. */
export interface BillLine {
  unit: string;
  quantity: number;
  pricePicos: bigint | null;
  costPicos: bigint;
  description: string;
}

type RunRow = InferEntity<typeof Run>;

/** The composition of a bill: the lines and the rounding add up exactly to the total. */
export interface Explanation {
  request: EndedRequest | null;
  run: RunRow | null;
  lines: BillLine[];
  roundingPicos: bigint;
  totalNanos: bigint;
  /** Since when the lines' prices apply: the model's, or the run's. */
  priceValidFrom: Date | null;
  /** Who set the price of a call; null for runs and for older calls. */
  price: PriceRow | null;
  entries: WorkspaceEntry[];
}

const THOUSANDTHS = 1_000n;

/** Explains the cost of a call, run, entry or event of the workspace; undefined when the workspace does not have it. */
export function explain(rows: Rows, accountId: string, subject: Subject): Promise<Explanation | undefined> {
  return rows.transaction(async (tx) => {
    if (subject.type === 'request') return explainRequest(tx, subject.id);
    if (subject.type === 'run') return explainRun(tx, subject.id);
    if (subject.type === 'entry') return explainEntry(tx, accountId, subject.id);
    const event = await findEvent(tx, subject.id);
    if (!event) return undefined;
    const isOfRun = event.run_id && (await explainRun(tx, event.run_id));
    return isOfRun || { ...NOTHING };
  });
}

const NOTHING: Explanation = {
  request: null,
  run: null,
  lines: [],
  roundingPicos: 0n,
  totalNanos: 0n,
  priceValidFrom: null,
  price: null,
  entries: [],
};

async function explainEntry(rows: Rows, accountId: string, id: string): Promise<Explanation | undefined> {
  const entry = await findLedgerEntry(rows, accountId, id);
  if (!entry) return undefined;
  const { requestId, runId, kind, amountNanos } = entry;
  const cause = requestId ? await explainRequest(rows, requestId) : runId && (await explainRun(rows, runId));
  if (cause) return cause;
  // A payment, an adjustment, or an agent's earning from another workspace's run has only an amount.
  const line = { unit: kind, quantity: 1, pricePicos: null, costPicos: -amountNanos * PICOS_PER_NANO };
  const lines = [{ ...line, description: `The entry itself: ${kind.replaceAll('_', ' ')}` }];
  return { ...NOTHING, lines, totalNanos: -amountNanos, entries: [entry] };
}

async function explainRequest(rows: Rows, id: string): Promise<Explanation | undefined> {
  const request = await findRequest(rows, id);
  if (!request) return undefined;
  const price = await rows.transaction(({ em, ModelPrice }) => em.findOne(ModelPrice, { id: request.priceId ?? '' }));
  const entries = await listEntriesOf(rows, id);
  const held = price && (await findPriceAt(rows, price.ofPriceId ?? price.id, request.startedAt));
  const lines = Object.entries(request.usage).map(([unit, quantity]) => callLineOf(price, unit, quantity));
  const reason = price ? reasonOf(request, entries) : 'The price of this call was not recorded';
  return {
    ...NOTHING,
    request,
    ...balanced(lines, request.costNanos, reason),
    priceValidFrom: held?.validFrom ?? price?.validFrom ?? null,
    price: held ?? null,
    entries,
  };
}

function callLineOf(price: InferEntity<typeof ModelPrice> | null, unit: string, quantity: number): BillLine {
  const rate = price?.rates[unit];
  const pricePicos = rate === undefined ? null : BigInt(rate);
  const costPicos = pricePicos === null ? 0n : linePicosOf(unit, quantity, pricePicos);
  return { unit, quantity, pricePicos, costPicos, description: unit.replaceAll('_', ' ') };
}

function reasonOf({ status, writtenOffNanos }: EndedRequest, entries: WorkspaceEntry[]): string {
  if (entries.some(({ kind }) => kind === 'refund')) return 'Refunded: the answer did not reach its caller';
  if (writtenOffNanos > 0n) return 'Not charged: above what the balance or the key’s limit still held';
  return status >= 400 ? 'Not charged: the call failed' : 'Not charged';
}

async function explainRun(rows: Rows, id: string): Promise<Explanation | undefined> {
  const found = await rows.transaction(async ({ em, Run, RunUsage }) => {
    // Includes a run with deleted content: its bill stays.
    const run = await em.findOne(Run, { id });
    return run && { run, used: await em.find(RunUsage, { runId: id }, { orderBy: { meter: 'asc' } }) };
  });
  if (!found) return undefined;
  const { run, used } = found;
  const lines = used.map((row) => runLineOf(run, row));
  if (run.networkFeeNanos > 0n) lines.push(feeLineOf(run));
  const reason =
    run.status === 'failed'
      ? 'Not charged: the run failed, and the platform bears its cost'
      : 'Cut to the limit of the run';
  return {
    ...NOTHING,
    run,
    ...balanced(lines, run.totalNanos, reason),
    priceValidFrom: run.createdAt,
    entries: await listEntriesOf(rows, id),
  };
}

function runLineOf(run: RunRow, row: InferEntity<typeof RunUsage>): BillLine {
  const { meter, quantityThousandths, costNanos } = row;
  const priced = run.rateCard.meters?.find((one) => one.id === meter);
  const pricePicos = priced ? picosOfUsd(priced.price_usd) : null;
  const costPicos = pricePicos === null ? costNanos * PICOS_PER_NANO : (quantityThousandths * pricePicos) / THOUSANDTHS;
  const description = priced?.description ?? meter.replaceAll('_', ' ');
  return { unit: meter, quantity: Number(quantityThousandths) / 1_000, pricePicos, costPicos, description };
}

function feeLineOf({ networkFeeNanos, rateCard }: RunRow): BillLine {
  const description = `Network fee: ${rateCard.network_fee_percentage ?? 0} % of the run`;
  return {
    unit: 'network_fee',
    quantity: 1,
    pricePicos: null,
    costPicos: networkFeeNanos * PICOS_PER_NANO,
    description,
  };
}

/** Adds the difference between lines and total: the rounding of their sum and, with a `reason`, an amount that was not charged. */
function balanced(
  lines: BillLine[],
  totalNanos: bigint,
  reason: string,
): Pick<Explanation, 'lines' | 'roundingPicos' | 'totalNanos'> {
  const picos = lines.reduce((sum, { costPicos }) => sum + costPicos, 0n);
  const roundedNanos = roundHalfUp(picos, PICOS_PER_NANO);
  const restPicos = (totalNanos - roundedNanos) * PICOS_PER_NANO;
  const rest = { unit: 'not_charged', quantity: 1, pricePicos: null, costPicos: restPicos, description: reason };
  return {
    lines: restPicos === 0n ? lines : [...lines, rest],
    roundingPicos: roundedNanos * PICOS_PER_NANO - picos,
    totalNanos,
  };
}
