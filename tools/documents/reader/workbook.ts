import { DocumentError } from '../documentError.ts';
import type { Archive } from './archive.ts';
import { partOf, relationsOf, type Relation } from './package.ts';
import { createCellReader, type Cell } from './cells.ts';
import { joined, readXml, type Attributes } from './xml.ts';

/** The sheet to be read next. */
export interface SheetHead {
  name: string;
  isHidden: boolean;
  /** Its number, from 1, and the number of all sheets. */
  number: number;
  count: number;
}

/** Called for each sheet of a workbook, and for each row with values; its cells are in the order of columns from A. */
export interface WorkbookHandler {
  sheet(head: SheetHead): void;
  row(cells: readonly Cell[]): void;
}

const COLUMNS_MAX = 1_000;
const SHEETS_MAX = 1_000;
// Excel's limit for a cell.
const CELL_CHARACTERS_MAX = 32_767;

/** Reads the sheets of an XLSX workbook. Formulas yield their stored values, or their source without one. */
export function readWorkbook(archive: Archive, mainPart: string, handler: WorkbookHandler): void {
  const relations = relationsOf(archive, mainPart);
  const { sheets, hasDatesFrom1904 } = sheetsIn(archive.read(mainPart), relations);
  const strings = sharedStringsIn(partOf(archive, relations, 'sharedStrings'));
  const valueOf = createCellReader({ strings, styles: partOf(archive, relations, 'styles'), hasDatesFrom1904 });
  for (const [index, { part, ...head }] of sheets.entries()) {
    handler.sheet({ ...head, number: index + 1, count: sheets.length });
    if (archive.has(part)) readSheet(archive.read(part), valueOf, handler);
  }
}

function sheetsIn(workbook: Buffer, relations: Map<string, Relation>) {
  const sheets: { name: string; isHidden: boolean; part: string }[] = [];
  let hasDatesFrom1904 = false;
  readXml(workbook, {
    open: (name, attributes) => {
      if (name === 'workbookPr') hasDatesFrom1904 = ['1', 'true'].includes(attributes.get('date1904') ?? '');
      const part = relations.get(attributes.get(':id') ?? '');
      if (name !== 'sheet' || part?.type !== 'worksheet') return;
      const isHidden = (attributes.get('state') ?? 'visible') !== 'visible';
      sheets.push({ name: attributes.get('name') ?? '', isHidden, part: part.target });
      if (sheets.length > SHEETS_MAX) throw new DocumentError(`The workbook has more than ${SHEETS_MAX} sheets.`);
    },
  });
  return { sheets, hasDatesFrom1904 };
}

/** The texts that cells refer to by number. Phonetic guides are omitted. */
function sharedStringsIn(part: Buffer | undefined): string[] {
  const strings: string[] = [];
  if (!part) return strings;
  let [text, isText, isPhonetic] = ['', false, false];
  readXml(part, {
    open: (name) => {
      if (name === 'si') text = '';
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 't') isText = !isPhonetic;
    },
    text: (piece) => {
      if (isText) text = joined(text, piece);
    },
    close: (name) => {
      if (name === 'si') strings.push(text.slice(0, CELL_CHARACTERS_MAX));
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 't') isText = false;
    },
  });
  return strings;
}

type CellReader = ReturnType<typeof createCellReader>;

function readSheet(part: Buffer, valueOf: CellReader, handler: WorkbookHandler): void {
  let cells: Cell[] = [];
  let column = 0;
  let attributes: Attributes = new Map();
  let [text, isValue] = ['', false];
  let [formula, isFormula] = ['', false];
  const valueIn = (given: Attributes, value: string, computed: string) =>
    valueOf(given, value.slice(0, CELL_CHARACTERS_MAX)) ??
    (computed ? `=${computed}`.slice(0, CELL_CHARACTERS_MAX) : null);
  readXml(part, {
    open: (name, given) => {
      if (name === 'row') [cells, column] = [[], 0];
      else if (name === 'f') isFormula = true;
      else if (name === 'c') {
        [attributes, text, formula] = [given, '', ''];
        column = columnOf(given.get('r')) ?? column + 1;
      } else if (name === 'v' || name === 't') isValue = true;
    },
    text: (piece) => {
      if (isValue) text = joined(text, piece);
      else if (isFormula) formula = joined(formula, piece);
    },
    close: (name) => {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'f') isFormula = false;
      else if (name === 'c' && column <= COLUMNS_MAX) put(cells, column, valueIn(attributes, text, formula));
      else if (name === 'row' && cells.length > 0) handler.row(cells);
    },
  });
}

function put(cells: Cell[], column: number, value: Cell): void {
  if (value === null) return;
  while (cells.length < column - 1) cells.push(null);
  cells[column - 1] = value;
}

/** The number of a column, from 1: 28 for `AB12`. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}
