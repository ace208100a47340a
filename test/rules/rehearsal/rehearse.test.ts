import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { rehearse } from '../../../rules/rehearsal/rehearsal.ts';
import { csvSheets } from '../../../tools/documents/readDocument.ts';
import type { Sheet } from '../../../tools/documents/reader/sheet.ts';
import { analysisCode, type Totals } from '../../../rules/rehearsal/rehearsedAnalysis.ts';

const toolsOf = (...names: string[]) => names.map((name) => ({ type: 'function', function: { name } }));
const asked = { role: 'user', content: 'What is the total of the amounts?' };
const called = (id: string, name: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: '{}' } }],
});
const toolResult = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });

test('an analyst lists the files, computes with code, and answers with what the code printed', () => {
  const tools = toolsOf('list_files', 'run_code');
  expect(rehearse({ tools, messages: [asked] }).toolCalls).toEqual([{ name: 'list_files', arguments: '{}' }]);
  const listed = [
    asked,
    called('a', 'list_files'),
    toolResult('a', 'notes.txt (text/plain, 3 bytes)\nmy sales.csv (text/csv, 9 bytes)'),
  ];
  const [code] = rehearse({ tools, messages: listed }).toolCalls!;
  expect(code!.name).toBe('run_code');
  expect(JSON.parse(code!.arguments)).toMatchObject({ language: 'javascript', code: analysisCode('my sales.csv') });
  const computed = [...listed, called('b', 'run_code'), toolResult('b', '2 rows\namount: sum 3.50')];
  expect(rehearse({ tools, messages: computed }).text).toContain(
    'Computed from my sales.csv:\n2 rows\namount: sum 3.50\n',
  );
});

test('a new question starts from the beginning', () => {
  const messages = [
    asked,
    called('a', 'search_files'),
    toolResult('a', 'old'),
    { role: 'user', content: 'And the notice period?' },
  ];
  const [search] = rehearse({ tools: toolsOf('search_files'), messages }).toolCalls!;
  expect(JSON.parse(search!.arguments)).toEqual({ query: 'notice' });
});

test('saves a text when a file is requested', () => {
  const tools = toolsOf('write_file');
  const messages = [{ role: 'user', content: 'Save the opening hours as a file.' }];
  expect(rehearse({ tools, messages }).toolCalls![0]!.name).toBe('write_file');
});

test('introduces itself when there is no task', () => {
  expect(rehearse({ messages: [{ role: 'user', content: 'Hello' }] }).text).toContain('This is a rehearsal');
});

test('the program sums the numeric columns of a table', () => {
  const lines: string[] = [];
  const table = 'item,amount,count\n"Tea, green",1.10,2\nCoffee,2.20,3\n';
  runInNewContext(analysisCode('t.csv'), {
    readFile: () => table,
    console: { log: (line: string) => lines.push(line) },
  });
  expect(lines).toEqual([
    '2 rows',
    'amount: sum 3.30, mean 1.6500, least 1.1, greatest 2.2',
    'count: sum 5, mean 2.50, least 2, greatest 3',
  ]);
});

test.each([
  [
    'separators and ends of lines in quotes',
    'Name,Amount\n"Smith, J.",10.5\n"Line\nbreak",2\n',
    2,
    12.5,
    ['Smith, J.', 'Line\nbreak'],
  ],
  [
    'the line ends of Windows, and quotes that are doubled',
    '\ufeffName,Amount\r\n"a ""b"", c",10.5\r\n"x\r\ny",2\r\n',
    2,
    12.5,
    ['a "b", c', 'x\r\ny'],
  ],
  ['semicolons, and separators in the names', '"Name, first";Amount\n"a;b";10.5\nc;2', 2, 12.5, ['a;b', 'c']],
  ['tabs, blank lines and old line ends', 'Name\tAmount\r\ra\t10.5\rb\t2\r\r', 2, 12.5, ['a', 'b']],
  ['a quote within a cell, and one that stays open', 'Name,Amount\n5" disk,10.5\nb,2\n"c,1', 3, 12.5, ['5" disk', 'b']],
])('both readers of CSV take %s', async (_what, table, count, sum, names) => {
  const lines: string[] = [];
  const value = runInNewContext(analysisCode('t.csv'), {
    readFile: () => table,
    console: { log: (line: string) => lines.push(line) },
  }) as Totals;
  expect(lines[0]).toBe(`${count} rows`);
  expect(value.columns).toMatchObject([{ name: 'Amount', sum }]);
  expect(value.groups!.sums.map(({ name }) => name)).toEqual(names);
  const [{ rows }] = (await csvSheets(table.replace('\ufeff', ''), new AbortController().signal)) as [Sheet];
  expect(rows.slice(1).map(([name]) => name)).toEqual(count > names.length ? [...names, 'c,1'] : names);
  expect(rows.slice(1).reduce((total, row) => total + Number(row[1] ?? 0), 0)).toBe(sum);
});

test('the program reads the first sheet of a workbook, and groups its sums', () => {
  const sheets = [
    {
      name: 'A',
      rows: [
        ['Region', 'Amount', 'Paid'],
        ['North', 1.5, true],
        ['South', 2, false],
        ['North', 1, true],
        [null, '=SUM(B2:B4)'],
      ],
    },
  ];
  const value = runInNewContext(analysisCode('t.xlsx'), {
    readFile: (path: string) => (path === 't.xlsx.json' ? JSON.stringify(sheets) : ''),
    console: { log: () => undefined },
  });
  expect(JSON.parse(JSON.stringify(value))).toEqual({
    columns: [{ name: 'Amount', sum: 4.5, mean: 1.5, least: 1, greatest: 2 }],
    groups: {
      by: 'Region',
      of: 'Amount',
      sums: [
        { name: 'North', sum: 2.5 },
        { name: 'South', sum: 2 },
      ],
    },
  });
});

test('writes what the question asks for, from the computed totals', () => {
  const totals = { columns: [{ name: 'Amount', sum: 3, mean: 1.5, least: 1, greatest: 2 }], groups: null };
  const messages = [
    { role: 'user', content: 'Draw a chart and return the totals.' },
    called('a', 'list_files'),
    toolResult('a', 't.xlsx (application/x, 9 bytes)'),
    called('b', 'run_code'),
    toolResult('b', `2 rows\n[Value of the last expression]\n${JSON.stringify(totals)}`),
  ];
  const tools = toolsOf('list_files', 'run_code', 'draw_chart', 'write_table', 'return_data');
  const withData = tools.map(({ function: { name }, ...tool }) => ({
    ...tool,
    function: { name, parameters: { properties: { data: {} } } },
  }));
  const { toolCalls } = rehearse({ tools: withData, messages });
  expect(toolCalls!.map(({ name }) => name)).toEqual(['draw_chart', 'return_data']);
  expect(JSON.parse(toolCalls![0]!.arguments)).toMatchObject({ labels: ['Amount'], series: [{ values: [3] }] });
  expect(JSON.parse(toolCalls![1]!.arguments)).toEqual({ data: totals });
});
