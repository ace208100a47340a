import { describe, expect, test } from '@jest/globals';
import { workbookJson } from '../../tools/documents/readDocument.ts';
import { workbookOf, type Table } from '../../tools/documents/writer/workbook.ts';
import { drawChart } from '../../tools/drawChart.ts';
import { writeTable } from '../../tools/writeTable.ts';
import { contextOf, failureOf, MemoryFiles } from './toolStage.ts';

const lines = Array.from(
  { length: 1_200 },
  (_, at) => `2026-01-${String((at % 28) + 1).padStart(2, '0')},0${at},Town ${at},${at}.50`,
);
const sales = ['Day,Code,"Town, place",Amount', ...lines].join('\r\n');

const sheet = (name: string, rows: Table['rows']): Table => ({
  name,
  columns: [
    { name: 'Month', type: 'auto' },
    { name: 'Sum', type: 'auto' },
  ],
  rows,
});
const book = workbookOf([
  sheet('North', [
    ['May', 10],
    ['June', null],
  ]),
  sheet('South', [['May', 7.5]]),
]);

const filesWith = (more: Record<string, string | Uint8Array> = {}) =>
  new MemoryFiles({ 'in/sales.csv': sales, 'book.xlsx': book, 'note.md': '# Note', ...more });

const sheetsAt = async (files: MemoryFiles, path: string): Promise<{ name: string; rows: unknown[][] }[]> =>
  JSON.parse(await workbookJson(files.held.get(path)!.bytes, new AbortController().signal));

test('write_table takes a thousand rows from a CSV file, with the types of their values', async () => {
  const files = filesWith();
  const args = { path: 'out.xlsx', sheets: [{ name: 'All', from: { path: 'in/sales.csv' } }] };
  expect((await writeTable.run(args, contextOf(files))).text).toMatch(/All with 1200 rows/);
  const { rows } = (await sheetsAt(files, 'out.xlsx'))[0]!;
  expect(rows).toHaveLength(1_201);
  expect(rows[0]).toEqual(['Day', 'Code', 'Town, place', 'Amount']);
  // A code with a leading zero stays a text.
  expect(rows[1_200]).toEqual(['2026-01-24', '01199', 'Town 1199', 1199.5]);
});

test('write_table takes the named columns of a sheet, in the given order', async () => {
  const files = filesWith();
  const columns = [{ name: 'Total', source: 'sum', type: 'number' }, { name: 'Month' }];
  const sheets = [{ name: 'S', columns, from: { path: 'book.xlsx', sheet: 'South' } }];
  await writeTable.run({ path: 'out.csv', sheets }, contextOf(files));
  expect(files.textOf('out.csv')).toBe('Total,Month\r\n7.5,May\r\n');
});

test.each([
  ['semicolons', 'a;b\n1;"x;""y"""\n\n2;\n', 'a,b\r\n1,"x;""y"""\r\n2,\r\n'],
  ['tabs and a byte order mark', '\ufeffa\tb\r\n1\t2', 'a,b\r\n1,2\r\n'],
  ['old line ends and an open quote', 'a,b\r1,"2\r3', 'a,b\r\n1,"2\r3"\r\n'],
])('write_table reads CSV with %s', async (_name, text, written) => {
  const files = filesWith({ 'in.csv': text });
  await writeTable.run({ path: 'out.csv', sheets: [{ from: { path: 'in.csv' } }] }, contextOf(files));
  expect(files.textOf('out.csv')).toBe(written);
});

test('write_table takes a column by its letter, and its names from another row', async () => {
  const files = filesWith({ 'in.csv': 'Report\nname,,sum\nTea,x,1\n' });
  const sheets = [{ columns: [{ name: 'Sum' }, { name: 'Note', source: 'B' }], from: { path: 'in.csv', head_row: 2 } }];
  await writeTable.run({ path: 'out.csv', sheets }, contextOf(files));
  expect(files.textOf('out.csv')).toBe('Sum,Note\r\n1,x\r\n');
});

const rows = [['May']];
const wide = Array.from({ length: 120 }, (_, at) => `c${at}`).join(',');

test.each([
  [{ from: { path: 'none.csv' } }, /There is no file 'none\.csv'/],
  [{ from: { path: '../a.csv' } }, /not a valid path/],
  [{ from: { path: 'note.md' } }, /'note\.md' is no table: it must be a CSV, TSV or XLSX file/],
  [{ from: { path: 'book.xlsx', sheet: 'West' } }, /has no sheet 'West'\. Its sheets are: North, South\./],
  [{ from: { path: 'book.xlsx', head_row: 9 } }, /has 3 rows, so none at head_row 9/],
  [{ from: { path: 'broken.xlsx' } }, /damaged/],
  [{ from: { path: 'wide.csv' } }, /has 120 columns: name those to take in columns, 100 at most/],
  [{ from: { path: 'long.csv' } }, /more than 200000 cells/],
  [{ columns: [{ name: 'Tax' }], from: { path: 'book.xlsx' } }, /has no column 'Tax'\. Its columns are: Month, Sum\./],
  [{ columns: [{ name: 'Month' }], rows, from: { path: 'book.xlsx' } }, /^sheets\.0: needs either rows or from\.$/],
  [{ columns: [{ name: 'Month' }] }, /^sheets\.0: needs either rows or from\.$/],
  [{ rows }, /^sheets\.0\.columns: is needed with rows\.$/],
])('write_table says what is wrong with %j', async (order, message) => {
  const files = filesWith({ 'broken.xlsx': 'PK', 'wide.csv': `${wide}\n1`, 'long.csv': 'a,b\n'.repeat(100_001) });
  expect(await failureOf(writeTable.run({ path: 'out.xlsx', sheets: [order] }, contextOf(files)))).toMatch(message);
});

describe('draw_chart of a file', () => {
  const chart = { path: 'c.svg', kind: 'line' };
  const draw = (from: object, files = filesWith(), more: object = {}) =>
    drawChart.run({ ...chart, from, ...more }, contextOf(files));

  test('draws columns as series, with an empty cell as a gap', async () => {
    const files = filesWith();
    await draw({ path: 'book.xlsx', sheet: 'North', labels: 'Month', values: ['Sum'] }, files);
    const given = filesWith();
    const series = [{ name: 'Sum', values: [10, null] }];
    await drawChart.run({ ...chart, labels: ['May', 'June'], series }, contextOf(given));
    expect(files.textOf('c.svg')).toBe(given.textOf('c.svg'));
  });

  test('takes numbers of a CSV file, also for a scatter chart', async () => {
    const from = { path: 'in/sales.csv', labels: 'amount', values: ['D'] };
    expect((await draw(from, filesWith(), { kind: 'scatter' })).isError).toBe(false);
  });

  test.each([
    [
      { path: 'in/sales.csv', labels: 'Day', values: ['Town, place'] },
      {},
      /'Town 0' as its Town, place in row 1 below the names, which is no number/,
    ],
    [
      { path: 'in/sales.csv', labels: 'Day', values: ['Amount'] },
      { kind: 'scatter' },
      /must be numbers for a scatter chart/,
    ],
    [{ path: 'in/sales.csv', labels: 'Days', values: ['Amount'] }, {}, /has no column 'Days'/],
    [{ path: 'many.csv', labels: 'a', values: ['b'] }, {}, /has 2001 rows, and a chart shows 2000 at most/],
    [{ path: 'empty.csv', labels: 'a', values: ['b'] }, {}, /has no rows below/],
    [
      { path: 'in/sales.csv', labels: 'Day', values: ['Amount'] },
      { labels: ['a'] },
      /takes the place of labels and series/,
    ],
    [undefined, {}, /^labels and series: are needed, or from\.$/],
  ])('says what is wrong with %j', async (from, more, message) => {
    const files = filesWith({ 'many.csv': `a,b\n${'1,2\n'.repeat(2_001)}`, 'empty.csv': 'a,b\n' });
    expect(await failureOf(drawChart.run({ ...chart, from, ...more }, contextOf(files)))).toMatch(message);
  });
});
