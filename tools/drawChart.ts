import * as z from 'zod';
import { chartSvg } from '../documents/chart/chart.ts';
import { CHART_KINDS } from '../documents/chart/chartForm.ts';
import { pngOf } from '../documents/chart/picture.ts';
import { filePathOf, mediaTypeOf, readable } from './sessionFiles.ts';
import { defineTool, textResult, ToolFailure, type Tool } from './tool.ts';

const LABELS_MAX = 2_000;
const SERIES_MAX = 20;

const text = (charactersMax: number) => z.string().max(charactersMax);

/** Draws a chart of given numbers as a picture. */
export const drawChart: Tool = defineTool({
  name: 'draw_chart',
  description:
    'Draws a chart as a picture into a file of the session, PNG or SVG. Compute the numbers first. Each series has one value for each label, in the same order. A file of the same path is replaced.',
  kind: 'file',
  input: z.strictObject({
    path: z.string().describe("Relative path that ends with .png or .svg, like 'charts/sales.png'."),
    kind: z.enum(CHART_KINDS).describe('A pie shows the first series alone.'),
    title: text(200).optional(),
    x_title: text(100).optional(),
    y_title: text(100).optional().describe('What the values are, with their unit.'),
    labels: z
      .array(z.union([text(200), z.number()]))
      .min(1)
      .max(LABELS_MAX)
      .describe('Names of bars or slices, or places on the axis of a line; numbers for a scatter chart.'),
    series: z
      .array(z.strictObject({ name: text(100).default(''), values: z.array(z.number().nullable()) }))
      .min(1)
      .max(SERIES_MAX),
    stacked: z.boolean().default(false),
    width: z.int().min(200).max(2_000).default(960),
    height: z.int().min(150).max(2_000).default(540),
  }),
  run: async ({ path: given, labels, series, x_title, y_title, stacked, ...chart }, { files, signal }) => {
    const path = filePathOf(given);
    if (!/\.(?:png|svg)$/i.test(path)) throw new ToolFailure('path: must end with .png or .svg.');
    const wrong = series.findIndex(({ values }) => values.length !== labels.length);
    if (wrong >= 0)
      throw new ToolFailure(
        `series.${wrong}.values: has ${series[wrong]!.values.length} values for ${labels.length} labels.`,
      );
    if (chart.kind === 'scatter' && labels.some((label) => typeof label !== 'number'))
      throw new ToolFailure('labels: must be numbers for a scatter chart.');
    const svg = chartSvg({ ...chart, labels, series, xTitle: x_title, yTitle: y_title, isStacked: stacked });
    const bytes = /\.svg$/i.test(path) ? Buffer.from(svg) : await readable(pngOf(svg, signal));
    await files.write({ path, bytes, mediaType: mediaTypeOf(path, false) });
    return textResult(`Drew ${path} (${bytes.length} bytes).`);
  },
});
