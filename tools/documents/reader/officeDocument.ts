import { openArchive, type Archive } from './archive.ts';
import { DocumentError } from '../documentError.ts';
import type { Outline } from './outline.ts';
import { mainPartOf } from './package.ts';
import { readPresentation } from './presentation.ts';
import { CELLS_MAX, type Sheet } from './sheet.ts';
import { readWordDocument } from './wordDocument.ts';
import { readWorkbook } from './workbook.ts';
import { readXml } from './xml.ts';

/** Reads an XLSX, DOCX or PPTX file into an outline. */
export function readOfficeDocument(file: Buffer, outline: Outline): void {
  const { archive, mainPart, kind } = openDocument(file);
  switch (kind) {
    case 'workbook':
      return outlineWorkbook(archive, mainPart, outline);
    case 'text':
      return readWordDocument(archive, mainPart, outline);
    case 'presentation':
      return readPresentation(archive, mainPart, outline);
    default:
      return kind satisfies never;
  }
}

// Cells may share a text, so a small file can expand to much.
const DATA_CHARACTERS_MAX = 8_000_000;

/** The sheets of an XLSX file as data. Throws DocumentError for another document, and beyond 200,000 cells or 8,000,000 characters. */
export function sheetsIn(file: Buffer): Sheet[] {
  const { archive, mainPart, kind } = openDocument(file);
  if (kind !== 'workbook') throw new DocumentError('The file is no workbook.');
  const sheets: Sheet[] = [];
  let left = CELLS_MAX;
  let characters = DATA_CHARACTERS_MAX;
  readWorkbook(archive, mainPart, {
    sheet: ({ name }) => sheets.push({ name, rows: [] }),
    row: (cells) => {
      left -= cells.length;
      if (left < 0) throw new DocumentError(`The workbook has more than ${CELLS_MAX} cells.`);
      for (const cell of cells) characters -= typeof cell === 'string' ? cell.length : 0;
      if (characters < 0) throw new DocumentError(`The workbook has more than ${DATA_CHARACTERS_MAX} characters.`);
      sheets.at(-1)!.rows.push([...cells]);
    },
  });
  return sheets;
}

const KINDS = { spreadsheetml: 'workbook', wordprocessingml: 'text', presentationml: 'presentation' } as const;
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

function openDocument(file: Buffer): { archive: Archive; mainPart: string; kind: (typeof KINDS)[keyof typeof KINDS] } {
  if (file.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE))
    throw new DocumentError('The document is locked with a password, or is in the format of Office before 2007.');
  const archive = openArchive(file);
  const mainPart = mainPartOf(archive);
  const type = contentTypeOf(archive, mainPart);
  const family = (Object.keys(KINDS) as (keyof typeof KINDS)[]).find((name) => type.includes(name));
  if (!family) throw new DocumentError('The file is no document of Excel, Word or PowerPoint.');
  return { archive, mainPart, kind: KINDS[family] };
}

function contentTypeOf(archive: Archive, part: string): string {
  let type = '';
  readXml(archive.read('[Content_Types].xml'), {
    open: (name, attributes) => {
      const isDefault = name === 'Default' && part.endsWith(`.${attributes.get('Extension') ?? ''}`);
      const isOwn = name === 'Override' && attributes.get('PartName') === `/${part}`;
      if (isOwn || (isDefault && type === '')) type = attributes.get('ContentType') ?? '';
    },
  });
  return type;
}

/** A sheet as a table under its name. */
function outlineWorkbook(archive: Archive, mainPart: string, outline: Outline): void {
  let rows = 0;
  const endSheet = () => {
    outline.endTable();
    if (rows === 0) outline.paragraph('The sheet is empty.');
  };
  readWorkbook(archive, mainPart, {
    sheet: ({ name, isHidden, number, count }) => {
      if (number > 1) endSheet();
      rows = 0;
      outline.heading(1, `Sheet ${number} of ${count}: ${name}${isHidden ? ' (hidden)' : ''}`);
    },
    row: (cells) => {
      rows += 1;
      outline.row(cells.map((cell) => (cell === null ? '' : String(cell))));
    },
  });
  endSheet();
}
