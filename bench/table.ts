import type { Row } from './row.ts';

const HEAD = ['figure', 'ours', 'raw-http', 'bare Koa', 'ratio', 'goal', 'met'];

/** The report as text in columns. */
export function tableOf(rows: Row[]): string {
  const lines = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  const text = (cells: string[]) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ');
  return lines.map(text).join('\n');
}

function cellsOf({ figure, ours, raw, koa, ratio, goal, isMet }: Row): string[] {
  const met = isMet === null ? '' : isMet ? 'yes' : 'NO';
  return [figure, ours, raw, koa, ratio, goal, met];
}
