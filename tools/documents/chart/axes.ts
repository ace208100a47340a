import type { Chart } from './chartForm.ts';
import { numberText, scaleOf, type Scale } from './scale.ts';
import { element, shortened, textAt } from './svg.ts';

/** A rectangle of the picture. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The place of a chart's marks: the plot's edges, and where values and labels are. */
export interface Frame extends Box {
  y: Scale;
  /** The centre of a label's band. */
  x: (at: number) => number;
  /** The width of a label's band. */
  band: number;
  /** Ticks of a numeric axis; undefined for an axis of labels. */
  xScale: Scale | undefined;
}

const SIZE = 12;
const CHARACTER = SIZE * 0.55;
const LABEL_CHARACTERS_MAX = 18;

/** Lays out a chart with axes within a box. */
export function frameOf(chart: Chart, box: Box): Frame {
  const { kind, labels, xTitle, yTitle } = chart;
  const isTurned = needsTurn(chart, box);
  const longest = Math.min(LABEL_CHARACTERS_MAX, Math.max(1, ...labels.map((label) => String(label).length)));
  const below = (isTurned ? longest * CHARACTER * 0.6 + SIZE : SIZE * 1.6) + (xTitle ? SIZE * 1.8 : 0);
  const vertical = { from: box.bottom - below, to: box.top + 6 };
  const y = scaleOf(extentOf(chart), vertical, kind === 'bar' || kind === 'area');
  const tickWidth = Math.max(...y.ticks.map((tick) => numberText(tick).length)) * CHARACTER;
  const left = box.left + tickWidth + 10 + (yTitle ? SIZE * 1.8 : 0);
  const right = box.right - 10;
  const numbers = isNumeric(chart) ? (labels as number[]) : undefined;
  const xScale = numbers && scaleOf(numbers, { from: left, to: right }, false);
  const band = (right - left) / Math.max(1, labels.length);
  const x = (at: number) => (xScale && numbers ? xScale.place(numbers[at]!) : left + band * (at + 0.5));
  return { left, right, top: vertical.to, bottom: vertical.from, y, x, band, xScale };
}

/** Numeric labels are positions on the axis, except for bars. */
const isNumeric = ({ kind, labels }: Chart) => kind !== 'bar' && labels.every((label) => typeof label === 'number');

function extentOf({ kind, series, labels, isStacked }: Chart): number[] {
  if (!isStacked || (kind !== 'bar' && kind !== 'area'))
    return series.flatMap(({ values }) => values.filter((value) => value !== null));
  return labels.flatMap((_, at) => {
    const values = series.map(({ values: all }) => all[at] ?? 0);
    const sumOf = (some: number[]) => some.reduce((sum, value) => sum + value, 0);
    return [sumOf(values.filter((value) => value > 0)), sumOf(values.filter((value) => value < 0))];
  });
}

function needsTurn(chart: Chart, { left, right }: Box): boolean {
  if (isNumeric(chart)) return false;
  const widest = Math.max(0, ...chart.labels.map((label) => String(label).length)) * CHARACTER;
  return widest > (right - left - 60) / Math.max(1, chart.labels.length) - 6;
}

/** The axes with their grid, ticks, labels and titles. */
export function axesOf(chart: Chart, frame: Frame): string {
  const { left, right, top, bottom, y } = frame;
  const lines = y.ticks.map((tick) => {
    const at = y.place(tick);
    const stroke = tick === 0 ? '#888888' : '#e3e3e3';
    const line = element('line', { x1: left, x2: right, y1: at, y2: at, stroke });
    return line + textAt(numberText(tick), { x: left - 8, y: at + 4, size: SIZE, anchor: 'end', fill: '#555555' });
  });
  const titles = [
    chart.xTitle &&
      textAt(shortened(chart.xTitle, 80), {
        x: (left + right) / 2,
        y: chart.height - 14,
        size: SIZE + 1,
        anchor: 'middle',
      }),
    chart.yTitle &&
      textAt(shortened(chart.yTitle, 60), {
        x: 20,
        y: (top + bottom) / 2,
        size: SIZE + 1,
        anchor: 'middle',
        turn: -90,
      }),
  ];
  return [...lines, ...xLabelsOf(chart, frame), ...titles].filter(Boolean).join('');
}

function xLabelsOf(chart: Chart, { left, right, bottom, x, band, xScale }: Frame): string[] {
  const place = { y: bottom + SIZE * 1.4, size: SIZE, fill: '#555555' };
  if (xScale)
    return xScale.ticks.map((tick) => textAt(numberText(tick), { ...place, x: xScale.place(tick), anchor: 'middle' }));
  const isTurned = needsTurn(chart, { left, right, top: 0, bottom });
  // If they do not fit, every second, third or later label is shown.
  const every = Math.max(1, Math.ceil((isTurned ? SIZE * 1.2 : 1) / band));
  return chart.labels.flatMap((label, at) => {
    if (at % every > 0) return [];
    const text = shortened(String(label), LABEL_CHARACTERS_MAX);
    return isTurned
      ? [textAt(text, { ...place, x: x(at) + 4, y: bottom + SIZE, anchor: 'end', turn: -35 })]
      : [textAt(text, { ...place, x: x(at), anchor: 'middle' })];
  });
}
