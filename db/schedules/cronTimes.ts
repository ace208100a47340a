const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** One of the five fields of a cron expression. */
export interface CronField {
  name: string;
  min: number;
  max: number;
  /** Names that stand for numbers, from `min` on. */
  words?: string[];
}

/** In their order: minute, hour, day of the month, month, day of the week. */
export const CRON_FIELDS: CronField[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, words: MONTHS },
  // 7 is also Sunday.
  { name: 'day of the week', min: 0, max: 7, words: DAYS },
];

/** The numbers that a valid list means. */
export const valuesIn = (list: string, field: CronField): number[] =>
  list
    .toLowerCase()
    .split(',')
    .flatMap((part) => valuesOf(part, field));

function valuesOf(part: string, field: CronField): number[] {
  const [range = '', step] = part.split('/');
  const [from, to] = range === '*' ? [field.min, field.max] : range.split('-').map((end) => numberOf(end, field)!);
  const last = to ?? (step === undefined ? from! : field.max);
  const by = Number(step ?? 1);
  return Array.from({ length: Math.floor((last - from!) / by) + 1 }, (_, at) => from! + at * by);
}

/** The number that a part of a field means; undefined: none. */
export function numberOf(text: string, { min, words = [] }: CronField): number | undefined {
  const at = words.indexOf(text);
  if (at >= 0) return min + at;
  return /^\d{1,2}$/.test(text) ? Number(text) : undefined;
}
