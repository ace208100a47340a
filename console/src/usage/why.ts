import { changeOf, type Line } from './facts.ts';
import { percentText } from './percent.ts';

const NAMED_MAX = 4;
const SHARE_MIN = 0.1;

/** The lines that make up most of a change, the largest first. */
export function causesOf(lines: Line[], change: number): Line[] {
  const same = lines.filter((line) => Math.sign(changeOf(line)) === Math.sign(change));
  return same.filter((line) => Math.abs(changeOf(line)) >= Math.abs(change) * SHARE_MIN).slice(0, NAMED_MAX);
}

/** Why the cost of a line changed, in requests and in what one of them costs: `+18% requests, +4% per request`. */
export function reasonOf({ value, before = 0, calls, callsBefore = 0 }: Line): string {
  if (before === 0 && callsBefore === 0) return 'New';
  if (value === 0 && calls === 0) return 'No longer used';
  if (calls === 0 || callsBefore === 0 || before === 0) return '';
  const [count, each] = [percentText(calls, callsBefore), percentText(value / calls, before / callsBefore)];
  if (count === '0%' && each === '0%') return 'No change';
  return [count !== '0%' && `${count} requests`, each !== '0%' && `${each} per request`].filter(Boolean).join(', ');
}
