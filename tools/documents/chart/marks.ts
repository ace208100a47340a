import type { Frame } from './axes.ts';
import type { Chart } from './chartForm.ts';
import { colourOf, element } from './svg.ts';

const DOTS_MAX = 60;

/** The marks of a chart's series: bars, lines, areas or dots. */
export function marksOf(chart: Chart, frame: Frame): string {
  switch (chart.kind) {
    case 'bar':
      return barsOf(chart, frame);
    case 'scatter':
      return chart.series.map((_, at) => dotsOf(chart, frame, at, 5)).join('');
    case 'area':
    case 'line':
      return linesOf(chart, frame);
    case 'pie':
      return '';
    default:
      return chart.kind satisfies never;
  }
}

function barsOf(chart: Chart, { x, y, band }: Frame): string {
  const { labels, series, isStacked } = chart;
  const columns = isStacked ? 1 : series.length;
  const width = (band * 0.76) / Math.max(1, columns);
  return labels
    .flatMap((_, at) => {
      let [above, below] = [0, 0];
      return series.map(({ values }, column) => {
        const value = values[at] ?? 0;
        const start = isStacked ? (value < 0 ? below : above) : 0;
        if (value < 0) below += value;
        else above += value;
        const [one, other] = [y.place(start), y.place(start + value)];
        const left = x(at) - (width * columns) / 2 + (isStacked ? 0 : column * width);
        return element('rect', {
          x: left,
          y: Math.min(one, other),
          width: Math.max(0.5, width - 1),
          height: Math.abs(one - other),
          fill: colourOf(column),
        });
      });
    })
    .join('');
}

function linesOf(chart: Chart, frame: Frame): string {
  const { kind, series, labels, isStacked } = chart;
  const bases = labels.map(() => 0);
  const drawn = series.map(({ values }, at) => {
    const isOnOthers = Boolean(isStacked) && kind === 'area';
    const tops = values.map((value, place) => (value === null ? null : value + (isOnOthers ? bases[place]! : 0)));
    const area = kind === 'area' ? areaOf(tops, isOnOthers ? [...bases] : bases.map(() => 0), frame, at) : '';
    if (isOnOthers) for (const [place, top] of tops.entries()) bases[place] = top ?? bases[place]!;
    const line = partsOf(tops).map((part) =>
      element('path', {
        d: pathOf(part, frame),
        fill: 'none',
        stroke: colourOf(at),
        'stroke-width': 2.5,
        'stroke-linejoin': 'round',
      }),
    );
    return area + line.join('');
  });
  const hasDots = kind === 'line' && labels.length <= DOTS_MAX;
  return drawn.join('') + (hasDots ? series.map((_, at) => dotsOf(chart, frame, at, 3.5)).join('') : '');
}

interface Point {
  at: number;
  value: number;
}

/** The values between the gaps. */
function partsOf(values: (number | null)[]): Point[][] {
  const parts: Point[][] = [[]];
  for (const [at, value] of values.entries()) {
    if (value === null) parts.push([]);
    else parts.at(-1)!.push({ at, value });
  }
  return parts.filter((part) => part.length > 0);
}

function areaOf(tops: (number | null)[], bases: number[], frame: Frame, series: number): string {
  return partsOf(tops)
    .map((part) => {
      const back = part.map(({ at }) => ({ at, value: bases[at]! })).toReversed();
      const d = `${pathOf(part, frame)} ${pathOf(back, frame).replace('M', 'L')} Z`;
      return element('path', { d, fill: colourOf(series), 'fill-opacity': 0.35 });
    })
    .join('');
}

const pathOf = (points: Point[], { x, y }: Frame) =>
  points
    .map(({ at, value }, index) => `${index === 0 ? 'M' : 'L'}${placeText(x(at))} ${placeText(y.place(value))}`)
    .join(' ');

const placeText = (place: number) => String(Math.round(place * 100) / 100);

function dotsOf({ series }: Chart, { x, y }: Frame, at: number, radius: number): string {
  return series[at]!.values.map((value, place) =>
    value === null ? '' : element('circle', { cx: x(place), cy: y.place(value), r: radius, fill: colourOf(at) }),
  ).join('');
}
