import type { AnyRows } from '../../db/postgres/rows.ts';

/** The months of calls that have partitions or had some, the oldest first. */
export const readMonths = (rows: AnyRows) =>
  rows.statement(({ em, LedgerMonth }) => em.find(LedgerMonth, {}, { orderBy: { month: 'asc' } }));

/** The first day of the month this many months from now (UTC), `YYYY-MM-01`. */
export function monthFromNow(months: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1)).toISOString().slice(0, 10);
}

/** An id of a call that began at a time. */
export const idAt = (time: Date, letters: string): string =>
  `req_${time.getTime().toString(36).padStart(8, '0')}${letters.padEnd(14, 'x')}`;
