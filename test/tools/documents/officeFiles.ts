import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { DocumentError } from '../../../tools/documents/documentError.ts';
import { openArchive } from '../../../tools/documents/reader/archive.ts';
import { zipOf } from '../../../tools/documents/writer/zip.ts';

type Family = 'spreadsheetml' | 'wordprocessingml' | 'presentationml';
const MAIN = {
  spreadsheetml: 'xl/workbook.xml',
  wordprocessingml: 'word/document.xml',
  presentationml: 'ppt/presentation.xml',
};
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The parts that lead a reader to the main part of a document. */
export function wrapping(family: Family): { path: string; content: string }[] {
  return [
    {
      path: '[Content_Types].xml',
      content: `<Types><Override PartName="/${MAIN[family]}" ContentType="application/vnd.openxmlformats-officedocument.${family}.main+xml"/></Types>`,
    },
    { path: '_rels/.rels', content: relations([['rId1', 'officeDocument', MAIN[family]]]) },
  ];
}

export const relations = (entries: [id: string, type: string, target: string][]): string =>
  `<Relationships>${entries.map(([id, type, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

/** A DOCX file with this XML as its body. */
export const docxOf = (body: string): Buffer =>
  zipOf([
    ...wrapping('wordprocessingml'),
    { path: MAIN.wordprocessingml, content: `<w:document><w:body>${body}</w:body></w:document>` },
  ]);

/** An XLSX file with this XML as the rows of its only sheet. */
export const xlsxOf = (rows: string): Buffer =>
  zipOf([
    ...wrapping('spreadsheetml'),
    {
      path: MAIN.spreadsheetml,
      content: `<workbook><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    { path: 'xl/_rels/workbook.xml.rels', content: relations([['rId1', 'worksheet', 'worksheets/sheet1.xml']]) },
    { path: 'xl/worksheets/sheet1.xml', content: `<worksheet><sheetData>${rows}</sheetData></worksheet>` },
  ]);

/** A file of `samples/` with changed or further parts. */
export function changedSample(name: string, changes: Record<string, (part: string) => string>): Buffer {
  const file = readFileSync(join(import.meta.dirname, 'samples', name));
  const archive = openArchive(file);
  const paths = new Set([...pathsIn(file), ...Object.keys(changes)]);
  return zipOf(
    Array.from(paths, (path) => {
      const part = archive.has(path) ? archive.read(path).toString() : '';
      return { path, content: changes[path]?.(part) ?? part };
    }),
  );
}

function pathsIn(file: Buffer): string[] {
  const end = file.length - 22;
  const paths: string[] = [];
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameEnd = at + 46 + file.readUInt16LE(at + 28);
    paths.push(file.toString('utf8', at + 46, nameEnd));
    at = nameEnd + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return paths;
}

/** A document whose main part inflates to this many MiB, from about a thousandth of the size. Its directory claims one KiB. */
export function officeBomb(sizeMib: number, family: Family = 'wordprocessingml'): Buffer {
  const start = deflateRawSync(Buffer.from('<w:document><w:body><w:p><w:t>'), { finishFlush: constants.Z_FULL_FLUSH });
  const block = deflateRawSync(Buffer.alloc(1024 * 1024, 'a'), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const packed = Buffer.concat([start, ...Array<Buffer>(sizeMib).fill(block)]);
  const name = Buffer.from(MAIN[family]);
  const local = Buffer.alloc(30);
  local.write('PK\u0003\u0004', 'latin1');
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(1024, 22);
  local.writeUInt16LE(name.length, 26);
  const plain = zipOf(wrapping(family));
  const plainEnd = plain.readUInt32LE(plain.length - 6);
  const entry = Buffer.alloc(46);
  entry.write('PK\u0001\u0002', 'latin1');
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(crc32(''), 16);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(1024, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt32LE(plainEnd, 42);
  const directory = Buffer.concat([plain.subarray(plainEnd, plain.length - 22), entry, name]);
  const end = Buffer.from(plain.subarray(plain.length - 22));
  end.writeUInt16LE(3, 8);
  end.writeUInt16LE(3, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(plainEnd + 30 + name.length + packed.length, 16);
  return Buffer.concat([plain.subarray(0, plainEnd), local, name, packed, directory, end]);
}

/** The message of the DocumentError that a promise must reject with. */
export async function faultOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    (value) => new Error(`no fault but ${JSON.stringify(value)?.slice(0, 1000)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof DocumentError) return error.message;
  throw error;
}
