/** One line of the report. `ratio` is ours divided by raw-http's, unless the figure says otherwise. */
export interface Row {
  figure: string;
  ours: string;
  raw: string;
  koa: string;
  ratio: string;
  goal: string;
  isMet: boolean | null;
}

/** A row with nothing in these cells. */
export const none = { raw: '', koa: '', ratio: '', goal: '', isMet: null };

/** What the goal is, and whether a value meets it. */
export function goalOf(value: number, { min, max }: { min?: number; max?: number }): Pick<Row, 'goal' | 'isMet'> {
  if (min !== undefined) return { goal: `≥ ${min}`, isMet: value >= min };
  if (max !== undefined) return { goal: `≤ ${max}`, isMet: value <= max };
  return { goal: '', isMet: null };
}

/** Three significant digits; whole numbers from 100 on. */
export function short(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
