import assert from 'node:assert/strict';
import type { ClientBase } from 'pg';
import { RUN_METERS } from '../../entities/agentJson.ts';
import { ANSWER_LIMIT_MS, MODEL_STEPS } from '../../../base/limits.ts';
import { findKeyState } from '../../keys/keyState.ts';
import { picosOfUsd, roundHalfUp, usdOf, PICOS_PER_NANO } from '../../money.ts';
import type { LockedRun, RunRow } from '../runRow.ts';

const THOUSANDTHS = 1_000n;
// Percentages have as many decimals as amounts: this is 100 % in their smallest unit.
const WHOLE = picosOfUsd(100);

/**
 * The price of a run, stored with it. A meter without a rate is free. Prices in US dollars for a unit, up to twelve decimals.
 * `platform_cost_usd` is the part of a price that passes through to the platform, for the model and the sandbox. Only a `subsidised` card
 * may have it above the price.
 */
export interface RateCard {
  rates: { meter: string; price_usd: number; platform_cost_usd?: number }[];
  network_fee_percentage: number;
  subsidised?: boolean;
}

/** A run's usage of one meter, and its share of the subtotal. */
export interface CostLine {
  meter: string;
  unit: string;
  quantityThousandths: bigint;
  /** US dollars for a unit, and the part of it that passes through to the platform. */
  priceUsd: number;
  platformCostUsd: number;
  costNanos: bigint;
}

/**
 * The cost of a run, in nano-USD: the subtotal with its lines, the network fee on it, and the total. The platform gets
 * `platformCostNanos` for model and sandbox, out of the subtotal and of the subsidy; the publisher gets the rest of the subtotal.
 */
export interface RunCost {
  lines: CostLine[];
  subtotalNanos: bigint;
  networkFeeNanos: bigint;
  totalNanos: bigint;
  platformCostNanos: bigint;
  subsidyNanos: bigint;
}

/** The line that raises a run to its agent's minimum cost. It is not a meter, so no meter has this name. */
const MINIMUM_COST_LINE = 'minimum_cost';

/**
 * Prices a run's usage: quantities by meter, in thousandths of a unit. The subtotal and the fee are each rounded once, half up; the lines
 * sum to the subtotal. A total below `minimumNanos` is raised to it, a total above `capNanos` is cut to it: then the fee is its share of
 * that total, as far as that leaves the platform its cost. Throws `RangeError` for a price that is not a decimal of at most twelve
 * digits.
 */
export function runCostOf(order: CostOrder): RunCost {
  const cost = pricedOf(order);
  const { lines, subtotalNanos, networkFeeNanos, totalNanos } = cost;
  assert(lines.reduce((sum, { costNanos }) => sum + costNanos, 0n) === subtotalNanos, 'the lines sum to the subtotal');
  assert(subtotalNanos + networkFeeNanos === totalNanos, 'subtotal and fee sum to the total');
  assert(totalNanos <= order.capNanos, 'a run costs no more than its cap');
  return cost;
}

interface CostOrder {
  rateCard: RateCard;
  meters: Record<string, bigint>;
  minimumNanos?: bigint;
  capNanos: bigint;
}

function pricedOf({ rateCard, meters, minimumNanos = 0n, capNanos }: CostOrder): RunCost {
  const feeParts = picosOfUsd(rateCard.network_fee_percentage);
  const exact = Object.entries(meters).map(([meter, quantity]) => pricedLineOf(rateCard, meter, quantity));
  const nanos = { numerator: 1n, denominator: PICOS_PER_NANO * THOUSANDTHS };
  const metered = priceOf(apportion(exact, roundHalfUp(sumOf(exact), nanos.denominator), nanos), feeParts);
  const lifted = metered.totalNanos < minimumNanos ? liftTo(minimumNanos, metered, feeParts) : metered;
  const passedNanos = roundHalfUp(passedThrough(exact), nanos.denominator);
  if (rateCard.subsidised) {
    const price = lifted.totalNanos > capNanos ? cutTo(capNanos, lifted, { feeParts, leastNanos: 0n }) : lifted;
    const { subtotalNanos } = price;
    const subsidyNanos = passedNanos > subtotalNanos ? passedNanos - subtotalNanos : 0n;
    return { ...price, platformCostNanos: passedNanos, subsidyNanos };
  }
  const price = lifted.totalNanos > capNanos ? cutTo(capNanos, lifted, { feeParts, leastNanos: passedNanos }) : lifted;
  const platformCostNanos = passedNanos < price.subtotalNanos ? passedNanos : price.subtotalNanos;
  return { ...price, platformCostNanos, subsidyNanos: 0n };
}

/** The amounts that a caller pays. */
type Price = Pick<RunCost, 'lines' | 'subtotalNanos' | 'networkFeeNanos' | 'totalNanos'>;

type Weighted = Omit<CostLine, 'costNanos'> & { weight: bigint };

function pricedLineOf(rateCard: RateCard, meter: string, quantityThousandths: bigint): Weighted {
  const rate = rateCard.rates.find((one) => one.meter === meter);
  const priceUsd = rate?.price_usd ?? 0;
  const { unit } = RUN_METERS[meter as keyof typeof RUN_METERS] ?? { unit: 'unit' };
  const weight = quantityThousandths * picosOfUsd(priceUsd);
  return { meter, unit, quantityThousandths, priceUsd, platformCostUsd: rate?.platform_cost_usd ?? 0, weight };
}

function passedThrough(lines: Weighted[]): bigint {
  return lines.reduce((sum, line) => sum + line.quantityThousandths * picosOfUsd(line.platformCostUsd), 0n);
}

/** Gives each line its weight times the ratio, rounded down, and distributes the rest of the sum to the largest remainders. */
function apportion(lines: Weighted[], sumNanos: bigint, ratio: { numerator: bigint; denominator: bigint }): CostLine[] {
  const shares = lines.map(({ weight, ...line }) => ({
    line: { ...line, costNanos: (weight * ratio.numerator) / ratio.denominator },
    remainder: (weight * ratio.numerator) % ratio.denominator,
  }));
  const leftNanos = sumNanos - shares.reduce((sum, { line }) => sum + line.costNanos, 0n);
  const byRemainder = shares.toSorted((one, other) => Number(other.remainder - one.remainder));
  for (const { line } of byRemainder.slice(0, Number(leftNanos))) line.costNanos += 1n;
  return shares.map(({ line }) => line);
}

function sumOf(lines: Weighted[]): bigint {
  return lines.reduce((sum, { weight }) => sum + weight, 0n);
}

function priceOf(lines: CostLine[], feeParts: bigint): Price {
  const subtotalNanos = lines.reduce((sum, { costNanos }) => sum + costNanos, 0n);
  const networkFeeNanos = roundHalfUp(subtotalNanos * feeParts, WHOLE);
  return { lines, subtotalNanos, networkFeeNanos, totalNanos: subtotalNanos + networkFeeNanos };
}

function liftTo(totalNanos: bigint, { lines, subtotalNanos }: Price, feeParts: bigint): Price {
  const parts = partsOf(totalNanos, feeParts);
  const missingNanos = parts.subtotalNanos - subtotalNanos;
  const lift = { meter: MINIMUM_COST_LINE, unit: 'run', quantityThousandths: THOUSANDTHS, costNanos: missingNanos };
  const line = { ...lift, priceUsd: usdOf(missingNanos), platformCostUsd: 0 };
  return { ...parts, lines: missingNanos > 0n ? [...lines, line] : lines };
}

// The platform's cost comes first and reduces the fee if necessary.
function cutTo(
  totalNanos: bigint,
  { lines }: Price,
  { feeParts, leastNanos }: { feeParts: bigint; leastNanos: bigint },
): Price {
  const parts = partsOf(totalNanos, feeParts);
  if (parts.subtotalNanos < leastNanos) {
    parts.subtotalNanos = leastNanos < totalNanos ? leastNanos : totalNanos;
    parts.networkFeeNanos = totalNanos - parts.subtotalNanos;
  }
  const weighted = lines.map(({ costNanos, ...line }) => ({ ...line, weight: costNanos }));
  const ratio = { numerator: parts.subtotalNanos, denominator: sumOf(weighted) || 1n };
  return { ...parts, lines: apportion(weighted, parts.subtotalNanos, ratio) };
}

function partsOf(totalNanos: bigint, feeParts: bigint) {
  const networkFeeNanos = roundHalfUp(totalNanos * feeParts, WHOLE + feeParts);
  return { totalNanos, networkFeeNanos, subtotalNanos: totalNanos - networkFeeNanos };
}

/** Which limit ended a run before its work was done: money, time, number of steps, or length of the model's output. */
export type LimitKind = 'cost' | 'timeout' | 'answer_timeout' | 'steps' | 'model_output_limit';

const ANSWER_SECONDS = ANSWER_LIMIT_MS / 1000;

/** A reached limit: of a model's output with its tokens and how many were written, of steps with their number. */
interface ReachedLimit {
  limit: LimitKind;
  tokens?: number;
  used?: number;
  steps?: number;
}

/** The limit that a run has reached, as callers see it: dollars, seconds or steps. */
export async function limitObject(
  client: ClientBase,
  run: LockedRun,
  { limit: kind, tokens = 0, used = tokens, steps = MODEL_STEPS }: ReachedLimit,
) {
  switch (kind) {
    case 'cost':
      return costLimit(client, run);
    case 'timeout':
      return { kind: 'timeout', value: run.timeout_seconds, used: run.timeout_seconds };
    case 'answer_timeout':
      return { kind: 'timeout', value: ANSWER_SECONDS, used: ANSWER_SECONDS };
    case 'steps':
      return { kind: 'steps', value: steps, used: steps };
    case 'model_output_limit':
      return { kind, value: tokens, used };
    default:
      return kind satisfies never;
  }
}

// A hold smaller than the run's own maximum was all that the balance or the key's ceiling had left. The runs of called agents count too.
async function costLimit(client: ClientBase, run: LockedRun) {
  const heldNanos = BigInt(run.held_nanos);
  const childrenNanos = BigInt(run.children_nanos);
  const worthNanos = worthNanosOf(run);
  const used = usdOf((worthNanos < heldNanos ? worthNanos : heldNanos) + childrenNanos);
  const value = usdOf(heldNanos + childrenNanos);
  if (heldNanos + childrenNanos >= BigInt(run.max_cost_nanos)) return { kind: 'max_cost', value, used };
  const { keyFreeNanos, availableNanos } = await findKeyState(client, run.key_id);
  const isKey = keyFreeNanos !== null && keyFreeNanos < availableNanos;
  return { kind: isKey ? 'key_spend' : 'balance', value, used };
}

/** Thousandths of a unit, by meter. */
export type ThousandthsByMeter = Record<string, number>;

/** One use of a tool. */
export const ONE_CALL: ThousandthsByMeter = { tool_calls: 1_000 };

/** The sum of both, without zero quantities. */
export function addThousandths(quantities: RunRow['meters'], more: ThousandthsByMeter): ThousandthsByMeter {
  const sums = Object.entries(withMore(quantities, more)).filter(([, quantity]) => quantity > 0n);
  return Object.fromEntries(sums.map(([name, quantity]) => [name, Number(quantity)]));
}

/** The cost of a run's usage so far, never more than its hold. `minimumNanos` is the least cost of a completed run. */
export function costOf(
  run: Metered & Pick<RunRow, 'held_nanos'>,
  { minimumNanos = 0n, more = {} }: { minimumNanos?: bigint; more?: ThousandthsByMeter } = {},
): RunCost {
  return runCostOf({
    rateCard: rateCardOf(run),
    meters: withMore(run.meters, more),
    minimumNanos,
    capNanos: BigInt(run.held_nanos),
  });
}

/** The same without a cap: the value of the meters. Decides whether a run may continue, and what a failed run consumed. */
export function worthNanosOf(run: Metered, more: ThousandthsByMeter = {}): bigint {
  return runCostOf({ rateCard: rateCardOf(run), meters: withMore(run.meters, more), capNanos: UNBOUNDED }).totalNanos;
}

type Metered = Pick<RunRow, 'rate_card' | 'meters'>;

const UNBOUNDED = 2n ** 62n;

/** The cost of one step's usage, before the run's fee, minimum and cap. */
export function stepCostNanosOf(run: Pick<RunRow, 'rate_card'>, quantities: ThousandthsByMeter): bigint {
  return runCostOf({ rateCard: rateCardOf(run), meters: withMore(quantities, {}), capNanos: UNBOUNDED }).subtotalNanos;
}

function rateCardOf({ rate_card: card }: Pick<RunRow, 'rate_card'>) {
  return {
    rates: card.meters.map(({ id, price_usd, platform_cost_usd }) => ({ meter: id, price_usd, platform_cost_usd })),
    network_fee_percentage: card.network_fee_percentage,
    subsidised: card.subsidised,
  };
}

// Sorted by name, because the database orders JSON members differently.
function withMore(meters: RunRow['meters'], more: ThousandthsByMeter): Record<string, bigint> {
  const names = [...new Set([...Object.keys(meters), ...Object.keys(more)])].toSorted();
  return Object.fromEntries(names.map((name) => [name, BigInt(meters[name] ?? 0) + BigInt(more[name] ?? 0)]));
}
