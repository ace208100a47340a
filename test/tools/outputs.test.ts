import { expect, test } from '@jest/globals';
import { drawChart } from '../../tools/drawChart.ts';
import { writeTable } from '../../tools/writeTable.ts';
import { contextOf, failureOf, MemoryFiles } from './toolStage.ts';

const sheets = [
  { name: 'Totals', columns: [{ name: 'Region' }, { name: 'Sum', type: 'number' }], rows: [['North', 3]] },
];

test.each([
  ['a/t.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'PK'],
  ['t.csv', 'text/csv', 'Region,Sum\r\nNorth,3'],
])('write_table writes %s as %s', async (path, mediaType, start) => {
  const files = new MemoryFiles();
  expect((await writeTable.run({ path, sheets }, contextOf(files))).text).toMatch(/Totals with 1 rows/);
  expect(files.held.get(path)!.mediaType).toBe(mediaType);
  expect(files.textOf(path)!.startsWith(start)).toBe(true);
});

test.each([
  [{ path: 't.ods', sheets }, /^path: must end with \.xlsx or \.csv\.$/],
  [{ path: 't.csv', sheets: [...sheets, { ...sheets[0]!, name: 'B' }] }, /one table/],
  [{ path: 't.xlsx', sheets: [...sheets, { ...sheets[0]!, name: 'TOTALS' }] }, /name of its own/],
  [{ path: 't.xlsx', sheets: [{ ...sheets[0]!, rows: [[1, 2, 3]] }] }, /Row 1 of Totals has 3 cells for 2 columns/],
  [{ path: 't.xlsx', sheets: [{ ...sheets[0]!, name: 'a/b' }] }, /sheets\.0\.name/],
])('write_table refuses %j', async (args, message) => {
  expect(await failureOf(writeTable.run(args, contextOf()))).toMatch(message);
});

const chart = { kind: 'bar', labels: ['a', 'b'], series: [{ values: [1, 2] }] };

test.each([
  ['c.png', 'image/png', '\ufffdPNG'],
  ['c.svg', 'image/svg+xml', '<svg xmlns'],
])('draw_chart draws %s as %s', async (path, mediaType, start) => {
  const files = new MemoryFiles();
  expect((await drawChart.run({ ...chart, path }, contextOf(files))).isError).toBe(false);
  expect(files.held.get(path)!.mediaType).toBe(mediaType);
  expect(files.textOf(path)!.startsWith(start)).toBe(true);
});

test.each([
  [{ ...chart, path: 'c.jpg' }, /must end with \.png or \.svg/],
  [{ ...chart, path: 'c.png', labels: ['a'] }, /^series\.0\.values: has 2 values for 1 labels\.$/],
  [{ ...chart, path: 'c.png', kind: 'scatter' }, /must be numbers for a scatter chart/],
  [{ ...chart, path: 'c.png', width: 1e6 }, /width/],
])('draw_chart refuses %j', async (args, message) => {
  expect(await failureOf(drawChart.run(args, contextOf()))).toMatch(message);
});
