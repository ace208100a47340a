import * as z from 'zod';
import { chartSvg, pngOf } from './documents/chart/chart.ts';
import { CHART_KINDS, type Chart } from './documents/chart/chartForm.ts';
import { columnOf, readTable, TableSource, type Cell, type FileTable } from './fileTable.ts';
import { filePathOf, mediaTypeOf, readable } from './sessionFiles.ts';
import { defineTool, textResult, ToolFailure, type Tool, type ToolContext } from './tool.ts';

const LABELS_MAX = 2_000;
const SERIES_MAX = 20;

const text = (charactersMax: number) => z.string().max(charactersMax);

const ColumnName = z.string().max(200);

const Input = z.strictObject({
  path: z.string().describe("Relative path that ends with .png or .svg, like 'charts/sales.png'."),
  kind: z.enum(CHART_KINDS).describe('A pie shows the first series alone.'),
  title: text(200).optional(),
  x_title: text(100).optional(),
  y_title: text(100).optional().describe('What the values are, with their unit.'),
  labels: z
    .array(z.union([text(200), z.number()]))
    .min(1)
    .max(LABELS_MAX)
    .optional()
    .describe('Names of bars or slices, or places on the axis of a line; numbers for a scatter chart.'),
  series: z
    .array(z.strictObject({ name: text(100).default(''), values: z.array(z.number().nullable()) }))
    .min(1)
    .max(SERIES_MAX)
    .optional(),
  from: TableSource.extend({
    labels: ColumnName.describe('The column of the labels, by its name or letter.'),
    values: z.array(ColumnName).min(1).max(SERIES_MAX).describe('The columns of numbers: each is a series.'),
  })
    .optional()
    .describe('Takes labels and series from this file instead, a label from each row.'),
  stacked: z.boolean().default(false),
  width: z.int().min(200).max(2_000).default(960),
  height: z.int().min(150).max(2_000).default(540),
});

type Input = z.output<typeof Input>;

/** Draws a chart of numbers, given or in a file, as a picture. */
export const drawChart: Tool = defineTool({
  name: 'draw_chart',
  description:
    'Draws a chart as a picture into a file of the session, PNG or SVG. Compute the numbers first. They are ' +
    'given as labels and series, where each series has one value for each label in the same order, or taken ' +
    'from columns of a CSV or XLSX file of the session. A file of the same path is replaced.',
  kind: 'file',
  input: Input,
  run: async ({ path: given, labels, series, from, x_title, y_title, stacked, ...look }, context) => {
    const path = filePathOf(given);
    if (!/\.(?:png|svg)$/i.test(path)) throw new ToolFailure('path: must end with .png or .svg.');
    const numbers = await numbersOf({ labels, series, from }, context);
    if (look.kind === 'scatter' && numbers.labels.some((label) => typeof label !== 'number'))
      throw new ToolFailure('labels: must be numbers for a scatter chart.');
    const svg = chartSvg({ ...look, ...numbers, xTitle: x_title, yTitle: y_title, isStacked: stacked });
    const bytes = /\.svg$/i.test(path) ? Buffer.from(svg) : await readable(pngOf(svg, context.signal));
    await context.files.write({ path, bytes, mediaType: mediaTypeOf(path, false) });
    return textResult(`Drew ${path} (${bytes.length} bytes).`);
  },
});

type Numbers = Pick<Chart, 'labels' | 'series'>;

async function numbersOf(
  { labels, series, from }: Pick<Input, 'labels' | 'series' | 'from'>,
  context: ToolContext,
): Promise<Numbers> {
  if (from && (labels || series)) throw new ToolFailure('from: takes the place of labels and series.');
  if (from) return numbersIn(await readTable(from, context), from);
  if (!labels || !series) throw new ToolFailure('labels and series: are needed, or from.');
  const wrong = series.findIndex(({ values }) => values.length !== labels.length);
  if (wrong >= 0)
    throw new ToolFailure(
      `series.${wrong}.values: has ${series[wrong]!.values.length} values for ${labels.length} labels.`,
    );
  return { labels, series };
}

/** The numbers of a file's table: a label from each row. */
function numbersIn(table: FileTable, { labels, values }: NonNullable<Input['from']>): Numbers {
  const { path, rows } = table;
  if (rows.length === 0) throw new ToolFailure(`'${path}' has no rows below the names of its columns.`);
  if (rows.length > LABELS_MAX)
    throw new ToolFailure(
      `'${path}' has ${rows.length} rows, and a chart shows ${LABELS_MAX} at most. Write a smaller table first, as with run_code.`,
    );
  const labelAt = columnOf(table, labels);
  const cells = rows.map((row) => row[labelAt] ?? null);
  const areNumbers = cells.every((cell) => numberOf(cell) !== undefined);
  return {
    labels: cells.map((cell) => (areNumbers ? numberOf(cell)! : String(cell ?? '').slice(0, 200))),
    series: values.map((name) => {
      const at = columnOf(table, name);
      return {
        name: name.slice(0, 100),
        values: rows.map((row, index) => valueOf(row[at] ?? null, { name, index, path })),
      };
    }),
  };
}

/** Null: a gap. */
function valueOf(cell: Cell, { name, index, path }: { name: string; index: number; path: string }): number | null {
  if (cell === null) return null;
  const number = numberOf(cell);
  if (number !== undefined) return number;
  throw new ToolFailure(
    `'${path}' has '${String(cell).slice(0, 50)}' as its ${name} in row ${index + 1} below the names, which is no number.`,
  );
}

function numberOf(cell: Cell): number | undefined {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'string' && NUMBER.test(cell) ? Number(cell) : undefined;
}

const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?\s*$/;
