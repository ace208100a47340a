/** The analysis program's results for a table. */
export interface Totals {
  /** Its numeric columns. */
  columns: { name: string; sum: number; mean: number; least: number; greatest: number }[];
  /** The sums of the first numeric column for each value of the first other column; null if either is missing. */
  groups: { by: string; of: string; sums: { name: string; sum: number }[] } | null;
}

/**
 * A program for the sandbox that reads a CSV file or the first sheet of a workbook with a table. It prints the rows and, for each numeric
 * column, sum, mean, least and greatest; its value is the totals.
 */
export function analysisCode(path: string): string {
  return `const print = console.log;
${/\.xlsx$/i.test(path) ? rowsOfWorkbook(path) : rowsOfCsv(path)}
const [names, ...records] = rows;
print(records.length + ' rows');
const isEmpty = (cell) => cell === undefined || cell === null || cell === '' || String(cell).startsWith('=');
const columns = [];
let others = -1;
names.forEach((name, column) => {
  const cells = records.map((record) => record[column]).filter((cell) => !isEmpty(cell));
  const numbers = cells.map((cell) => (typeof cell === 'boolean' ? NaN : Number(cell)));
  if (cells.length === 0 || numbers.some(Number.isNaN)) {
    if (cells.length > 0 && others < 0) others = column;
    return;
  }
  // Decimal places as the file has them: sums of prices should not end in 0000001.
  const places = Math.max(...cells.map((cell) => (String(cell).split('.')[1] ?? '').length));
  const sum = numbers.reduce((total, number) => total + number, 0);
  const mean = (sum / numbers.length).toFixed(places + 2);
  const [least, greatest] = [Math.min(...numbers), Math.max(...numbers)];
  print(name + ': sum ' + sum.toFixed(places) + ', mean ' + mean + ', least ' + least + ', greatest ' + greatest);
  columns.push({ name, sum: Number(sum.toFixed(places)), mean: Number(mean), least, greatest, column, places });
});
const first = columns[0];
const sums = {};
for (const record of first && others >= 0 ? records : []) {
  const [name, value] = [record[others], record[first.column]];
  if (!isEmpty(name) && !isEmpty(value)) sums[name] = (sums[name] ?? 0) + Number(value);
}
const groups = Object.entries(sums).map(([name, sum]) => ({ name, sum: Number(sum.toFixed(first.places)) }));
({
  columns: columns.map(({ name, sum, mean, least, greatest }) => ({ name: String(name), sum, mean, least, greatest })),
  groups: groups.length > 0 ? { by: String(names[others]), of: String(first.name), sums: groups } : null,
});`;
}

const rowsOfWorkbook = (path: string) => `const sheets = JSON.parse(readFile(${JSON.stringify(`${path}.json`)}));
const rows = (sheets.find((sheet) => sheet.rows.length > 1) ?? { rows: [[]] }).rows;`;

// As RFC 4180 has it, like the reader of documents: a cell in quotes may hold separators, ends of lines, and quotes that are doubled.
const rowsOfCsv = (path: string) => String.raw`const text = readFile(${JSON.stringify(path)}).replace(/^\ufeff/, '');
const head = text.slice(0, 100000).replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)[0];
const isMore = (one, other) => head.split(one).length > head.split(other).length;
const separator = [',', ';', '\t'].reduce((best, one) => (isMore(one, best) ? one : best));
const rows = [];
let row = [];
const endRow = () => {
  if (row.some((cell) => cell !== '')) rows.push(row);
  row = [];
};
for (let at = 0; at < text.length; at += 1) {
  let cell = '';
  for (let isFirst = true; text[at] === '"'; isFirst = false) {
    const close = text.indexOf('"', at + 1);
    cell += (isFirst ? '' : '"') + text.slice(at + 1, close < 0 ? text.length : close);
    at = close < 0 ? text.length : close + 1;
  }
  const start = at;
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1;
  row.push((cell + text.slice(start, at)).trim());
  if (text[at] !== separator) endRow();
}
endRow();
if (rows.length === 0) rows.push(['']);`;

const VALUE = '\n[Value of the last expression]\n';

/** The result of the analysis program from run_code: its printed text, and the totals; null if it failed. */
export function analysisIn(result: string): { printed: string; totals: Totals | null } {
  const [printed = '', value = ''] = result.split(VALUE);
  try {
    return { printed, totals: JSON.parse(value.split('\n')[0]!) as Totals };
  } catch {
    return { printed: result, totals: null };
  }
}

const BARS_MAX = 40;

/** The bars of a chart: the groups' sums, otherwise the sums of the columns. */
export function barsOf({ columns, groups }: Totals): { title: string; labels: string[]; values: number[] } {
  const bars = (groups?.sums ?? columns).slice(0, BARS_MAX);
  return {
    title: groups ? `${groups.of} by ${groups.by}` : 'Sums',
    labels: bars.map(({ name }) => name),
    values: bars.map(({ sum }) => sum),
  };
}

/** The totals as sheets of a workbook. */
export function sheetsOf({ columns, groups }: Totals): object[] {
  const number = (name: string) => ({ name, type: 'number' });
  const totals = {
    name: 'Totals',
    columns: [{ name: 'Column', type: 'text' }, ...['Sum', 'Mean', 'Least', 'Greatest'].map(number)],
    rows: columns.map(({ name, sum, mean, least, greatest }) => [name, sum, mean, least, greatest]),
  };
  if (!groups) return [totals];
  const byGroup = {
    name: 'Groups',
    columns: [{ name: groups.by, type: 'text' }, number(groups.of)],
    rows: groups.sums.map(({ name, sum }) => [name, sum]),
  };
  return [totals, byGroup];
}
