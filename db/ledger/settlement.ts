import { isoTimeOf } from '../../base/isoTime.ts';
import type { CallProduct } from '../catalog/products.ts';
import type { Hold, Spender } from './hold.ts';

/** The record of one call and its cost: the text of its settlement. Amounts are nano-USD, times milliseconds. */
export interface Bill {
  requestId: string;
  spender: Spender;
  costNanos: bigint;
  route: string;
  model: string;
  status: number;
  cancelled: boolean;
  usage: object;
  startedAtMs: number;
  firstByteMs: number | null;
  durationMs: number;
  streamBytes: number;
  /** The upstream that answered, or was tried last; null when none was. */
  upstream: string | null;
  /** How many upstreams were tried. */
  attempts: number;
  /** Why it was that upstream, in a few characters; null for a model with one. */
  routing?: string | null;
  finishReason: string | null;
  /** Of the usage; null where the model does not count them. */
  cachedTokens: number | null;
  reasoningTokens: number | null;
  /** The price row that the cost was computed with; null where it is not recorded. */
  priceId: string | null;
  product: CallProduct;
}

/**
 * One request to settle, as the database function reads it. Amounts are nano-USD as JSON numbers (exact up to nine million
 * dollars), `charge` at most what the hold covers; `usage` is kept for the caller to read.
 */
export interface Settlement {
  id: string;
  workspace: string;
  account: string;
  key: string;
  hold: string;
  cost: number;
  charge: number;
  route: string;
  model: string;
  status: number;
  cancelled: boolean;
  usage: object;
  held: number;
  started: string;
  first: number | null;
  duration: number;
  bytes: number;
  upstream: string | null;
  attempts: number;
  finish: string | null;
  cached: number | null;
  reasoning: number | null;
  price: string | null;
  product: CallProduct;
}

/** Separates the name of the upstream from the note of its choice: the type of settlements is shared with the last release. */
const NOTE_MARK = '\x1f';

/** What a call is charged: its cost, at most what its hold covers. */
export const chargeNanosOf = ({ amountNanos }: Hold, { costNanos }: Bill): bigint =>
  costNanos < amountNanos ? costNanos : amountNanos;

/** The settlement of a call: its bill, and what it is charged. */
export function settlementOf(held: Hold, bill: Bill): Settlement {
  return {
    id: bill.requestId,
    workspace: bill.spender.workspaceId,
    account: bill.spender.accountId,
    key: bill.spender.keyId,
    hold: held.id,
    cost: Number(bill.costNanos),
    charge: Number(chargeNanosOf(held, bill)),
    route: bill.route,
    model: bill.model,
    status: bill.status,
    cancelled: bill.cancelled,
    usage: bill.usage,
    held: Number(held.amountNanos),
    started: isoTimeOf(bill.startedAtMs),
    first: bill.firstByteMs,
    duration: bill.durationMs,
    bytes: bill.streamBytes,
    upstream: bill.routing ? `${bill.upstream ?? ''}${NOTE_MARK}${bill.routing}` : bill.upstream,
    attempts: bill.attempts,
    finish: bill.finishReason,
    cached: bill.cachedTokens,
    reasoning: bill.reasoningTokens,
    price: bill.priceId,
    product: bill.product,
  };
}

/**
 * A batch as stored on disk: the text form of `ledger_settlement[]`, which the database reads twice as fast as JSON. The member
 * `provisional`, after `bytes`, is set by the database alone.
 */
export const batchText = (items: Settlement[]): string => `{${items.map(recordText).join(',')}}`;

// In the type's order. Written out: a loop over names takes three times as long.
const recordText = (i: Settlement): string =>
  `"(${i.id},${i.workspace},${i.account},${i.key},${i.hold},${i.cost},${i.charge},${text(i.route)},${text(i.model)},${i.status},${i.cancelled},` +
  `${quoted(JSON.stringify(i.usage))},${i.held},${i.started},${i.first ?? ''},${i.duration},${i.bytes},,` +
  `${text(i.upstream)},${i.attempts},${text(i.finish)},${i.cached ?? ''},${i.reasoning ?? ''},${i.price ?? ''},${i.product})"`;

// Ids are our own and need no quotes.
const text = (value: string | null): string => (value === null ? '' : PLAIN.test(value) ? value : quoted(value));
const PLAIN = /^[\w./:-]+$/;

// Quotes within a record within an array.
function quoted(value: string): string {
  const whole = value.includes('\\') ? value.replaceAll('\\', '\\\\\\\\') : value;
  return `\\"${whole.replaceAll('"', '\\"\\"')}\\"`;
}
