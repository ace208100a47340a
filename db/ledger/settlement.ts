import { isoTimeOf } from '../../base/isoTime.ts';
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
}

/** The settlement of a call: its bill, charged at most what its hold covers. */
export function settlementOf(held: Hold, bill: Bill): Settlement {
  const chargeNanos = bill.costNanos < held.amountNanos ? bill.costNanos : held.amountNanos;
  return {
    id: bill.requestId,
    workspace: bill.spender.workspaceId,
    account: bill.spender.accountId,
    key: bill.spender.keyId,
    hold: held.id,
    cost: Number(bill.costNanos),
    charge: Number(chargeNanos),
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
  };
}

type Column = (item: Settlement) => string | number | boolean | null;
const TEXT_SEPARATOR = '\t';
const PLAIN = /^[^\t\n]+$/;

// A function for each: one generic reader by name took up to half as long again.
const COLUMNS: [column: Column, separator: string][] = [
  [({ id }) => id, TEXT_SEPARATOR],
  [({ workspace }) => workspace, TEXT_SEPARATOR],
  [({ account }) => account, TEXT_SEPARATOR],
  [({ key }) => key, TEXT_SEPARATOR],
  [({ hold }) => hold, TEXT_SEPARATOR],
  [({ cost }) => cost, ','],
  [({ charge }) => charge, ','],
  [({ route }) => route, TEXT_SEPARATOR],
  [({ model }) => model, TEXT_SEPARATOR],
  [({ status }) => status, ','],
  [({ cancelled }) => cancelled, ','],
  [({ usage }) => JSON.stringify(usage), TEXT_SEPARATOR],
  [({ held }) => held, ','],
  [({ started }) => started, ','],
  [({ first }) => first ?? 'NULL', ','],
  [({ duration }) => duration, ','],
  [({ bytes }) => bytes, ','],
];

/**
 * A batch as stored on disk and read by the database function `ledger_batch_items`: a line for each column, in the order of the type
 * `ledger_settlement`, texts separated by tabs; or JSON where a text contains separators.
 */
export function batchText(items: Settlement[]): string {
  // All other texts are our own identifiers, or JSON, which has neither tabs nor line ends.
  if (!items.every(({ route, model }) => PLAIN.test(route) && PLAIN.test(model))) return JSON.stringify(items);
  return COLUMNS.map(([column, separator]) => items.map(column).join(separator)).join('\n');
}

/**
 * What batches change together, as the other parameters of the database function `ledger_settle_batches`: their accounts, their holds
 * with the charge of each and whether anything was billed under it, the holds whose recorded progress ends, and the index of each
 * request's account.
 */
export function sumsOf(items: Settlement[], flushedIds: string[]): string[] {
  const accounts = [...new Set(items.map(({ account }) => account))].toSorted();
  const places = new Map(accounts.map((account, index) => [account, index + 1]));
  const uses = usesOf(items);
  return [
    textArray(accounts),
    textArray([...uses.keys()]),
    plainArray([...uses.values()].map(({ total }) => total)),
    plainArray([...uses.values()].map(({ billed }) => billed)),
    textArray(flushedIds),
    plainArray(items.map(({ account }) => places.get(account)!)),
  ];
}

function usesOf(items: Settlement[]): Map<string, { total: number; billed: boolean }> {
  const uses = new Map<string, { total: number; billed: boolean }>();
  for (const { hold, charge, cost } of items) {
    const use = uses.get(hold);
    if (!use) uses.set(hold, { total: charge, billed: cost > 0 });
    else {
      use.total += charge;
      use.billed ||= cost > 0;
    }
  }
  return uses;
}

/** Texts as a literal of a PostgreSQL array: only identifiers, which need no escapes. */
export const textArray = (values: string[]): string => (values.length === 0 ? '{}' : `{"${values.join('","')}"}`);
const plainArray = (values: (number | boolean)[]): string => `{${values.join(',')}}`;
