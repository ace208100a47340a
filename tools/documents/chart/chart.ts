import { runBounded } from '../boundedProcess.ts';
import { axesOf, frameOf, type Frame } from './axes.ts';
import { marksOf } from './marks.ts';
import { pieOf } from './pie.ts';
import type { Chart } from './chartForm.ts';
import { colourOf, element, FONT_FAMILY, shortened, textAt } from './svg.ts';

const TITLE_SIZE = 20;
const LEGEND_SIZE = 13;
const PADDING = 20;

/** Draws a chart as an SVG picture of shapes and texts only, without scripts, styles or references. */
export function chartSvg(chart: Chart): string {
  const { width, height, title } = chart;
  const legend = legendOf(chart);
  const box = {
    left: PADDING,
    right: width - PADDING,
    top: PADDING + (title ? TITLE_SIZE * 1.6 : 0) + legend.height,
    bottom: height - PADDING,
  };
  const head = title
    ? textAt(shortened(title, (width - 2 * PADDING) / (TITLE_SIZE * 0.55)), {
        x: PADDING,
        y: PADDING + TITLE_SIZE * 0.8,
        size: TITLE_SIZE,
      })
    : '';
  const description = element('title', {}, [title ?? `A ${chart.kind} chart`], { isText: true });
  const background = element('rect', { width, height, fill: '#ffffff' });
  const drawn = chart.kind === 'pie' ? pieOf(chart, box) : plotOf(chart, frameOf(chart, box));
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'font-family': FONT_FAMILY,
    },
    [description, background, head, legend.drawn, drawn],
  );
}

const plotOf = (chart: Chart, frame: Frame) => axesOf(chart, frame) + marksOf(chart, frame);

/** The names of the series, in lines below the title. A single series with a title needs none. */
function legendOf({ kind, title, labels, series, width }: Chart): { drawn: string; height: number } {
  const names = kind === 'pie' ? labels.map(String) : series.map(({ name }) => name);
  if (kind !== 'pie' && names.length < 2 && (title || names[0] === '')) return { drawn: '', height: 0 };
  const lineHeight = LEGEND_SIZE * 1.7;
  let x = PADDING;
  let y = PADDING + (title ? TITLE_SIZE * 1.6 : 0) + LEGEND_SIZE;
  const top = y;
  const drawn = names.map((name, at) => {
    const shown = shortened(name, 32);
    const entryWidth = 34 + shown.length * LEGEND_SIZE * 0.55;
    if (x + entryWidth > width - PADDING && x > PADDING) [x, y] = [PADDING, y + lineHeight];
    const mark = element('rect', { x, y: y - 10, width: 11, height: 11, rx: 2, fill: colourOf(at) });
    const entry = mark + textAt(shown, { x: x + 16, y, size: LEGEND_SIZE });
    x += entryWidth;
    return entry;
  });
  return { drawn: drawn.join(''), height: y - top + lineHeight + 8 };
}

/** Renders an SVG picture as PNG, at twice its size. Throws DocumentError when that fails, the signal's reason when that is aborted. */
export const pngOf = (svg: string, signal: AbortSignal): Promise<Buffer> =>
  runBounded({
    script: 'chart/pictureMain.ts',
    args: [],
    input: Buffer.from(svg),
    packages: ['@resvg/resvg-wasm'],
    failureText: 'The picture could not be made: it needs too much time or memory.',
    signal,
  });
