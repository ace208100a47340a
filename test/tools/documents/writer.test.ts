import { expect, test } from '@jest/globals';
import { documentText, workbookJson } from '../../../tools/documents/readDocument.ts';
import { csvOf } from '../../../tools/documents/writer/csv.ts';
import { workbookOf, type Table } from '../../../tools/documents/writer/workbook.ts';

const { signal } = new AbortController();

const table: Table = {
  name: 'To & <x>',
  columns: [
    { name: 'Month', type: 'date' },
    { name: 'At', type: 'datetime' },
    { name: 'Sum', type: 'number' },
    { name: 'Share', type: 'percent' },
    { name: 'Paid', type: 'boolean' },
    { name: 'Note', type: 'text' },
  ],
  rows: [
    ['2026-01-31', '2026-01-31T09:30:00Z', 1.5, 0.25, true, '=HYPERLINK("x")'],
    [null, 'never', '7', 'x', false, 'a\u0001 <b> & "c"'],
  ],
};

test('a written workbook is read with the same values and types', async () => {
  const written = workbookOf([table, { name: 'Other', columns: [{ name: 'x', type: 'auto' }], rows: [[1], ['2']] }]);
  expect(JSON.parse(await workbookJson(written, signal))).toEqual([
    {
      name: 'To & <x>',
      rows: [
        ['Month', 'At', 'Sum', 'Share', 'Paid', 'Note'],
        ['2026-01-31', '2026-01-31 09:30:00', 1.5, 0.25, true, '=HYPERLINK("x")'],
        [null, 'never', 7, 'x', false, 'a <b> & "c"'],
      ],
    },
    { name: 'Other', rows: [['x'], [1], ['2']] },
  ]);
});

test('a workbook has columns beyond Z in their places', async () => {
  const columns = Array.from({ length: 30 }, (_, at) => ({ name: `c${at}`, type: 'number' as const }));
  const written = workbookOf([{ name: 'Wide', columns, rows: [columns.map((_, at) => (at === 28 ? 5 : null))] }]);
  const [{ rows }] = JSON.parse(await workbookJson(written, signal));
  expect([rows[0][29], rows[1][28], rows[1].length]).toEqual(['c29', 5, 29]);
  expect(await documentText('office', written, signal)).toContain('| c29 |');
});

test('CSV has quoted texts, and none that a spreadsheet would take for a formula', () => {
  expect(csvOf(table)).toBe(
    'Month,At,Sum,Share,Paid,Note\r\n' +
      `2026-01-31,2026-01-31T09:30:00Z,1.5,0.25,true,"'=HYPERLINK(""x"")"\r\n` +
      ',never,7,x,false,"a\u0001 <b> & ""c"""\r\n',
  );
  const numbers: Table = { name: 'n', columns: [{ name: 'n', type: 'auto' }], rows: [['-1.5'], [-2], ['+x'], ['@x']] };
  expect(csvOf(numbers)).toBe("n\r\n-1.5\r\n-2\r\n'+x\r\n'@x\r\n");
});

test.each(["-2+3+cmd|' /C calc'!A0", '+1-HYPERLINK("x")', '-1*A1', '-.5+SUM(A1)', '＝1+1', '＋1', '－1', '＠x'])(
  'CSV has %s as a text',
  (formula) => {
    const one: Table = { name: 'n', columns: [{ name: formula, type: 'auto' }], rows: [[formula]] };
    const [name, cell] = csvOf(one).replaceAll('"', '').split('\r\n');
    expect([name!.at(0), cell!.at(0)]).toEqual(["'", "'"]);
  },
);

test.each(['-1.5', '+49 30 1234-56', '-12,5 %', '-1e-7', '+3.2E5', '- 4'])('CSV has %s as it is', (number) => {
  const one: Table = { name: 'n', columns: [{ name: 'n', type: 'auto' }], rows: [[number]] };
  expect(csvOf(one).replaceAll('"', '')).toBe(`n\r\n${number}\r\n`);
});
