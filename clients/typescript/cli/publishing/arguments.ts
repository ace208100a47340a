import { InvalidArgumentError } from 'commander';

/** `10,50,100`: the growing shares of a rollout. */
export function parseShares(text: string): number[] {
  const shares = text.split(',').map(Number);
  const isFit = (share: number, at: number) =>
    Number.isInteger(share) && share >= 1 && share <= 100 && share > (shares[at - 1] ?? 0);
  if (!shares.every(isFit)) throw new InvalidArgumentError('They are growing percentages, as 10,50,100.');
  return shares;
}

export function parseMinutes(text: string): number {
  const minutes = Number(text);
  if (!(minutes > 0 && Number.isFinite(minutes)))
    throw new InvalidArgumentError('It is a number of minutes above zero.');
  return minutes;
}

export function parseMonth(text: string): string {
  if (!/^2\d{3}-(0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError('It is a month, as 2026-11.');
  return text;
}

export function parseHours(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('It is a number of hours, from 0.');
  return Number(text);
}
