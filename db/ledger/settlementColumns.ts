import type { Settlement } from './settlement.ts';

/**
 * A batch of new settlements as the parameters of the database function `ledger_settle`, in its order: array literals, one for each
 * column. Written here and not by the driver, whose general way costs several times as much for each request.
 */
export function columnsOf(batch: Settlement[], flushedIds: string[]): string[] {
  const items = batch.toSorted((one, other) =>
    one.account < other.account ? -1 : one.account > other.account ? 1 : 0,
  );
  const accounts = new Map<string, number>();
  for (const { account } of items) if (!accounts.has(account)) accounts.set(account, accounts.size + 1);
  const uses = usesOf(items);
  const texts = (name: 'id' | 'workspace' | 'key' | 'route' | 'model') => textArray(items.map((item) => item[name]));
  const values = (name: 'cost' | 'charge' | 'status' | 'cancelled' | 'held' | 'first' | 'duration' | 'bytes') =>
    plainArray(items.map((item) => item[name]));
  return [
    textArray([...accounts.keys()]),
    textArray([...uses.keys()]),
    plainArray([...uses.values()].map(({ total }) => total)),
    plainArray([...uses.values()].map(({ billed }) => billed)),
    textArray(flushedIds),
    plainArray(items.map(({ account }) => accounts.get(account)!)),
    ...(['id', 'workspace', 'key'] as const).map(texts),
    ...(['cost', 'charge'] as const).map(values),
    ...(['route', 'model'] as const).map(texts),
    ...(['status', 'cancelled'] as const).map(values),
    textArray(items.map(({ usage }) => JSON.stringify(usage))),
    values('held'),
    textArray(items.map(({ started }) => started)),
    ...(['first', 'duration', 'bytes'] as const).map(values),
  ];
}

/** What is charged of each hold, and whether anything was billed under it. */
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

function plainArray(values: (number | boolean | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/** Texts as a literal of a PostgreSQL array. */
export function textArray(values: (string | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : quoted(value))).join(',')}}`;
}

function quoted(value: string): string {
  return /["\\]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}
