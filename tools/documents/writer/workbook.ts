import { xmlText } from '../xmlText.ts';
import { zipOf } from './zip.ts';

export const COLUMN_TYPES = ['auto', 'text', 'number', 'percent', 'date', 'datetime', 'boolean'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** A table with a head. Dates are ISO 8601 texts; null is an empty cell. */
export interface Table {
  name: string;
  columns: { name: string; type: ColumnType }[];
  rows: (string | number | boolean | null)[][];
}

type Value = Table['rows'][number][number];

/** An XLSX workbook with a sheet for each table: typed cells, a bold head that stays in view, and columns as wide as their content. */
export function workbookOf(tables: readonly Table[]): Buffer {
  return zipOf([
    { path: '[Content_Types].xml', content: contentTypesOf(tables) },
    { path: '_rels/.rels', content: relationsOf([['officeDocument', 'xl/workbook.xml']]) },
    { path: 'xl/workbook.xml', content: bookOf(tables) },
    {
      path: 'xl/_rels/workbook.xml.rels',
      content: relationsOf([
        ...tables.map((_, at): [string, string] => ['worksheet', `worksheets/sheet${at + 1}.xml`]),
        ['styles', 'styles.xml'],
      ]),
    },
    { path: 'xl/styles.xml', content: STYLES },
    ...tables.map((table, at) => ({ path: `xl/worksheets/sheet${at + 1}.xml`, content: sheetOf(table) })),
  ]);
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function contentTypesOf(tables: readonly Table[]): string {
  const own = [
    ['/xl/workbook.xml', 'sheet.main'],
    ['/xl/styles.xml', 'styles'],
    ...tables.map((_, at) => [`/xl/worksheets/sheet${at + 1}.xml`, 'worksheet']),
  ].map(([path, type]) => `<Override PartName="${path}" ContentType="${CONTENT}.${type}+xml"/>`);
  const relations = `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`;
  return (
    `${HEAD}<Types xmlns="${PACKAGE}/content-types">${relations}<Default Extension="xml" ` +
    `ContentType="application/xml"/>${own.join('')}</Types>`
  );
}

function relationsOf(targets: [type: string, path: string][]): string {
  const entries = targets.map(
    ([type, path], at) => `<Relationship Id="rId${at + 1}" Type="${RELATION}/${type}" Target="${path}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${entries.join('')}</Relationships>`;
}

function bookOf(tables: readonly Table[]): string {
  const sheets = tables.map(
    ({ name }, at) => `<sheet name="${xmlText(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATION}"><sheets>${sheets.join('')}</sheets></workbook>`;
}

/** The places of the cell formats in STYLES. */
const FORMATS = { auto: 0, text: 0, number: 0, boolean: 0, head: 1, date: 2, datetime: 3, percent: 4 } as const;

const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="5">${[
  [0, 0],
  [0, 1],
  [164, 0],
  [165, 0],
  [10, 0],
]
  .map(
    ([format, font]) =>
      `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`,
  )
  .join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

const WIDTH_MIN = 8;
const WIDTH_MAX = 60;

function sheetOf({ columns, rows }: Table): string {
  const widths = columns.map(({ name }, at) => {
    const longest = rows.reduce((most, row) => Math.max(most, String(row[at] ?? '').length), name.length);
    const width = Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, longest + 2));
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
  });
  const head = columns.map(({ name }) => textCell(name, FORMATS.head));
  const lines = [head, ...rows.map((row) => columns.map(({ type }, at) => cellOf(row[at] ?? null, type)))];
  const letters = columns.map((_, at) => lettersOf(at));
  const data = lines.map((cells, at) => {
    const placed = cells.map((cell, column) => cell && `<c r="${letters[column]}${at + 1}" ${cell}`);
    return `<row r="${at + 1}">${placed.join('')}</row>`;
  });
  const view =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" ' +
    'state="frozen"/></sheetView></sheetViews>';
  return `${HEAD}<worksheet xmlns="${MAIN}">${view}<cols>${widths.join('')}</cols><sheetData>${data.join('')}</sheetData></worksheet>`;
}

/** The name of a column by its place from 0: A, then AA after Z. */
const lettersOf = (at: number): string =>
  at < 26 ? String.fromCharCode(65 + at) : lettersOf(Math.floor(at / 26) - 1) + lettersOf(at % 26);

/** A cell of the column's type, with its reference; empty without a value. A value of another type keeps its type. */
function cellOf(value: Value, type: ColumnType): string {
  if (value === null || value === '') return '';
  if (typeof value === 'boolean') return `t="b"><v>${Number(value)}</v></c>`;
  if (typeof value === 'number') return `s="${FORMATS[type]}"><v>${value}</v></c>`;
  if (type === 'date' || type === 'datetime') {
    const serial = serialOf(value);
    if (serial !== undefined) return `s="${FORMATS[type]}"><v>${serial}</v></c>`;
  }
  const isNumber = (type === 'number' || type === 'percent') && value.trim() !== '' && Number.isFinite(Number(value));
  return isNumber ? `s="${FORMATS[type]}"><v>${Number(value)}</v></c>` : textCell(value, FORMATS.text);
}

// Never a formula, whatever the text begins with.
const textCell = (text: string, format: number) =>
  `s="${format}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;

const DAY_MS = 86_400_000;
const UNIX_EPOCH_DAY = 25_569;
const ISO_DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?Z?)?$/;

/** Excel's day number of a date; undefined for other texts. */
function serialOf(text: string): number | undefined {
  const [, date, time = '00:00'] = ISO_DATE.exec(text.trim()) ?? [];
  const ms = date === undefined ? NaN : Date.parse(`${date}T${time}Z`);
  const serial = ms / DAY_MS + UNIX_EPOCH_DAY;
  // Before March 1900 Excel counts differently.
  return serial >= 61 ? Number(serial.toFixed(10)) : undefined;
}
