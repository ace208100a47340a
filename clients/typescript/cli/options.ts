import { InvalidArgumentError } from 'commander';

// Parsers of the values of options: what they refuse is a wrong usage, and commander names the option.

export function parseUsd(text: string): number {
  const amount = Number(text.replace(/^\$/, ''));
  if (text.trim() === '' || !Number.isFinite(amount) || amount < 0)
    throw new InvalidArgumentError('An amount of US dollars is a number such as 0.50.');
  return amount;
}

export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('It is a number from 1.');
  return Number(text);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`It is JSON: ${(error as Error).message}`);
  }
}

const SPAN = /^(\d{1,6})([mhdw])$/;
const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A span such as `90m`, `24h` or `7d`, in seconds. */
export function parseSpanSeconds(text: string): number {
  const [, count, unit] = SPAN.exec(text) ?? [];
  if (!count) throw new InvalidArgumentError('It is a span such as 90m, 24h or 7d.');
  return (Number(count) * UNITS_MS[unit as 'm']) / 1000;
}

/** A moment of the past: a date, a date and time, or how long ago it was (`90m`, `24h`, `7d`, `2w`). */
export const parsePast = (text: string): string => momentOf(text, -1);

/** A moment to come, in the same forms. */
export const parseFuture = (text: string): string => {
  const moment = momentOf(text, 1);
  return moment.length > 10 ? moment : `${moment}T00:00:00Z`;
};

function momentOf(text: string, direction: 1 | -1): string {
  const [, count, unit] = SPAN.exec(text) ?? [];
  if (count) return new Date(Date.now() + direction * Number(count) * UNITS_MS[unit as 'm']).toISOString();
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw new InvalidArgumentError('It is a date (2026-11-01), a date and time, or a span such as 24h or 7d.');
  return new Date(time).toISOString();
}

/** An option that can be given several times, or once with commas. */
export const collect = (text: string, earlier: string[] = []): string[] => [
  ...earlier,
  ...text.split(',').filter(Boolean),
];

/** An option that can be given several times, each with one value. */
export const append = (text: string, earlier: string[] = []): string[] => [...earlier, text];

export function appendPair(text: string, earlier: Record<string, string> = {}): Record<string, string> {
  const [name, ...value] = text.split('=');
  if (!name || value.length === 0) throw new InvalidArgumentError('It is a pair such as team=support.');
  return { ...earlier, [name]: value.join('=') };
}
