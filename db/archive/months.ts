import type { MonthIds } from './datasets.ts';

/** A month, `YYYY-MM`, with the ids of its calls. */
export interface Month extends MonthIds {
  month: string;
}

const TIME_DIGITS = 8;

/** The ids of the calls that began in a month (UTC): they begin with their time. */
export function monthOf(month: string): Month {
  const [year, nth] = month.split('-').map(Number) as [number, number];
  return { month, first: idAt(Date.UTC(year, nth - 1)), end: idAt(Date.UTC(year, nth)) };
}

const idAt = (ms: number): string => `req_${ms.toString(36).padStart(TIME_DIGITS, '0')}`;

/** The month in which the call with this id began; undefined for other ids. */
export function monthOfId(id: string): string | undefined {
  const code = /^req_([0-9a-z]{8})/.exec(id)?.[1];
  return code && new Date(Number.parseInt(code, 36)).toISOString().slice(0, 7);
}

/** The first day of a month. */
export const dayOf = (month: string): string => `${month}-01`;

/** A time as a column of Parquet has it. */
export const microsOf = (at: Date): bigint => BigInt(at.getTime()) * 1000n;
