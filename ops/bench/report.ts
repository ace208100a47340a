import { type Disturbance, disturbanceText, isDisturbed } from './machine/busy.ts';
import { medianAt, type Point, ratioAt, type TargetName } from './point.ts';

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

/** A row with empty cells here. */
export const none = { raw: '', koa: '', ratio: '', goal: '', isMet: null };

export interface Limit {
  min?: number | undefined;
  max?: number | undefined;
}

/** The goal, and whether a value meets it. */
export function goalOf(value: number, { min, max }: Limit): Pick<Row, 'goal' | 'isMet'> {
  if (min !== undefined) return { goal: `≥ ${min}`, isMet: value >= min };
  if (max !== undefined) return { goal: `≤ ${max}`, isMet: value <= max };
  return { goal: '', isMet: null };
}

/** A row of one figure of ours, with a goal for it. */
export const plainRow = (figure: string, ours: number, goal: Limit = {}): Row => ({
  ...none,
  figure,
  ours: short(ours),
  ...goalOf(ours, goal),
});

/** A row of all servers, with a goal for our ratio to raw-http, or else for our figure itself. */
export function pointRow<Figure extends string>(
  figure: string,
  { point, of, ratio, ours }: { point: Point<Figure>; of: Figure; ratio?: Limit; ours?: Limit },
): Row {
  const ourRatio = ratioAt(point, 'ours', of);
  const median = (name: TargetName) => medianAt(point, name, of);
  return {
    figure,
    ours: short(median('ours')),
    raw: short(median('raw')),
    koa: `${short(median('koa'))} (${ratioAt(point, 'koa', of).toFixed(2)})`,
    ratio: ourRatio.toFixed(2),
    ...(ratio ? goalOf(ourRatio, ratio) : goalOf(median('ours'), ours ?? {})),
  };
}

/** The cells of a figure of each server, with the ratios to raw-http. */
export const comparedCells = ({ ours, raw, koa }: Record<'ours' | 'raw' | 'koa', number>) => ({
  ours: short(ours),
  raw: short(raw),
  koa: `${short(koa)} (${(koa / raw).toFixed(2)})`,
  ratio: (ours / raw).toFixed(2),
});

/** The errors of all servers in these points. */
export function errorsRow(area: string, points: Point<'errors'>[]): Row {
  const errors = points.flatMap((point) => Object.values(point).flat()).reduce((sum, sample) => sum + sample.errors, 0);
  return plainRow(`errors of all servers, ${area}`, errors, { max: 0 });
}

/** The table of all areas, and a warning for each that was disturbed. */
export function reportOf(measured: { area: string; rows: Row[]; disturbance: Disturbance }[]): string {
  const warnings = measured
    .filter(({ disturbance }) => isDisturbed(disturbance))
    .map(({ area, disturbance }) => `Do not trust ${area}: the machine was busy, ${disturbanceText(disturbance)}.`);
  return [...warnings, tableOf(measured.flatMap(({ rows }) => rows))].join('\n');
}

const HEAD = ['figure', 'ours', 'raw-http', 'bare Koa', 'ratio', 'goal', 'met'];

/** Rows as text in columns. */
function tableOf(rows: Row[]): string {
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

/** Three significant digits; whole numbers from 100 on. */
export function short(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
