import { short } from '../report.ts';
import type { Cost } from './cost.ts';
import type { Growth } from './measure.ts';

const MEASURES: { name: string; of: keyof Cost }[] = [
  { name: 'pages', of: 'pages' },
  { name: 'bytes of WAL', of: 'walBytes' },
  { name: 'CPU µs', of: 'cpuMicros' },
  { name: 'p50 ms', of: 'ms' },
];

/** The costs as Markdown, one table per measure: the figure at each size, and the ratio of the last size to the first. */
export const growthTables = (sizes: number[], growth: Growth[]): string =>
  MEASURES.map((measure) => tableOf(measure, sizes, growth)).join('\n\n');

function tableOf({ name, of }: (typeof MEASURES)[number], sizes: number[], growth: Growth[]): string {
  const heads = [name, ...sizes.map((size) => size.toLocaleString('en')), 'last ÷ first'];
  const lines = growth
    .map((work) => ({ name: work.name, figures: work.costs.map((cost) => cost[of]) }))
    .filter(({ figures }) => figures.some((figure) => figure > 0))
    .map(({ name: work, figures }) => [work, ...figures.map(short), (figures.at(-1)! / figures[0]!).toFixed(2)]);
  return [heads, heads.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
