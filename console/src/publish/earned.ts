import type { components } from '../api/openapi.d.ts';
import type { Picture } from '../parts/chart/layout.ts';
import { seriesOf } from '../parts/chart/series.ts';
import { sumOf } from '../parts/nanos.ts';
import { stepTexts } from '../usage/steps.ts';

export type EarningsStatement = components['schemas']['PublisherStatement'];
type Line = EarningsStatement['data'][number];

/** What the bars of the picture are parts of. */
export type EarnedBy = 'agent' | 'version';

/** The part of a line: its agent, or one version of it. */
export const partOf = ({ agent, version }: Line, by: EarnedBy): string =>
  by === 'agent' ? agent : `${agent} ${version}`;

/** The earnings of a month by day and agent, with the month before as a ghost, and the sums of as many days of both. */
export function earnedOf(
  { month, data, totals }: EarningsStatement,
  before: EarningsStatement,
  { today, only, by = 'agent' }: { today: string; only?: string; by?: EarnedBy },
) {
  const steps = daysOf(month);
  const openDay = steps.indexOf(today);
  const openAt = openDay < 0 ? undefined : openDay;
  const series = seriesOf(
    data.map((line) => ({ step: line.date, id: partOf(line, by), name: partOf(line, by), value: line.earned_usd })),
    steps,
  );
  const isShown = (line: Line) => only === undefined || partOf(line, by) === only;
  const ghost = daySums(before.data.filter(isShown), steps.length);
  const picture: Picture = {
    steps: stepTexts(steps, 'day', openAt),
    series: only === undefined ? series : series.filter(({ id }) => id === only),
    ...(ghost.some((usd) => usd > 0) && { ghost }),
    ...(openAt !== undefined && { openAt }),
  };
  const sumBefore = openAt === undefined ? before.totals.earned_usd : sumOf(daySums(before.data, openAt + 1));
  return { picture, series, sum: totals.earned_usd, sumBefore, isOpen: openAt !== undefined };
}

/** All days of a month, as `2026-11-01`. */
function daysOf(month: string): string[] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`);
}

/** What was earned on each of the first days of a month. */
const daySums = (lines: Line[], count: number): number[] => {
  const sums = Array.from({ length: count }, () => 0);
  for (const { date, earned_usd: usd } of lines) {
    const at = Number(date.slice(8)) - 1;
    if (at < count) sums[at] = sums[at]! + usd;
  }
  return sums;
};
