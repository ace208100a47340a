import { describe, expect, test } from '@jest/globals';
import { DocumentError } from '../../../tools/documents/documentError.ts';
import { documentText, workbookJson } from '../../../tools/documents/readDocument.ts';
import { readOfficeDocument } from '../../../tools/documents/reader/officeDocument.ts';
import { createOutline } from '../../../tools/documents/reader/outline.ts';
import { zipOf } from '../../../tools/documents/writer/zip.ts';
import { officeBomb, docxOf, faultOf, wrapping, xlsxOf } from './officeFiles.ts';

const MIB = 1024 * 1024;
const { signal } = new AbortController();
const office = (bytes: Buffer) => documentText('office', bytes, signal);
const page = (html: string) => documentText('page', Buffer.from(html), signal);
const whole = docxOf('<w:p><w:t>text</w:t></w:p>');

test.each(['spreadsheetml', 'wordprocessingml', 'presentationml'] as const)(
  'a document of %s of a megabyte that inflates to a gigabyte is refused',
  async (family) => {
    const bomb = officeBomb(1024, family);
    expect(bomb.length).toBeLessThan(1.2 * MIB);
    expect(await faultOf(office(bomb))).toBe('The document is too large to read: its parts inflate beyond the limit.');
  },
);

test('entities that are declared in a document are not expanded, and nothing is fetched for them', async () => {
  const laughs = Array.from({ length: 10 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
  const body = `<!DOCTYPE w [<!ENTITY l0 "ha">${laughs}<!ENTITY f SYSTEM "file:///etc/passwd">]><w:p><w:t>a&l10;&f;b</w:t></w:p>`;
  expect(await office(docxOf(body))).toBe('a&l10;&f;b');
});

describe('a damaged document has a clear error', () => {
  test.each([
    ['cut in the middle', whole.subarray(0, whole.length / 2), /no complete archive/],
    ['with a directory beyond its end', withNumber(whole, whole.length - 6, 0xffff_fff0), /no complete archive/],
    ['of two bytes', Buffer.from('PK'), /no complete archive/],
    [
      'an archive of something else',
      zipOf([{ path: 'a.txt', content: 'a' }]),
      /no document of Excel, Word or PowerPoint/,
    ],
    ['without its main part', zipOf(wrapping('wordprocessingml')), /its part word\/document\.xml is missing/],
    [
      'locked or of an old format',
      Buffer.from('d0cf11e0a1b11ae100', 'hex'),
      /locked with a password, or is in the format/,
    ],
    ['nested a million times', docxOf('<w:p>'.repeat(1_000_000)), /nested too deeply/],
  ])('%s', async (_what, bytes, message) => {
    expect(await faultOf(office(bytes))).toMatch(message);
  });

  test('with every byte of its directory changed in turn', () => {
    const small = zipOf([{ path: 'a', content: '' }]);
    const start = small.readUInt32LE(small.length - 6);
    const changed = Array.from({ length: small.length - start }, (_, at) => withByte(small, start + at, 0xff));
    for (const one of changed) expect(() => readOfficeDocument(one, createOutline(1_000))).toThrow(DocumentError);
  });
});

test('a sheet with a far cell and a million rows is cut or refused within the limits', async () => {
  const far = '<row><c r="XFD1"><v>1</v></c><c r="A1048576"><v>2</v></c></row>';
  expect(await office(xlsxOf(far))).toContain('| 2 |');
  const many = xlsxOf('<row><c><v>123456</v></c><c><v>123456</v></c></row>'.repeat(110_000));
  expect(await office(many)).toMatch(/The rest is cut: only the first 2000000 characters are read\.\]$/);
  expect(await faultOf(workbookJson(many, signal))).toBe('The workbook has more than 200000 cells.');
});

test('names of a prototype in cells, attributes and tags change nothing', async () => {
  const rows = '<row __proto__="x"><__proto__ a="1"/><c t="__proto__" s="__proto__"><v>__proto__</v></c></row>';
  expect(JSON.parse(await workbookJson(xlsxOf(rows), signal))[0].rows).toEqual([['__proto__']]);
});

test.each([
  '<',
  '<a',
  '<!--',
  '<script>',
  '</',
  '&',
  '&#',
  ' ',
  '<p>',
  '<a href=x>y',
  '<li>',
  '<td>',
  '<table><tr><td>',
  '<!',
])('a page of a mebibyte of %j is read or refused', async (part) => {
  const outcome = page(part.repeat(MIB / part.length)).catch((error: Error) => error.message);
  expect((await outcome).length).toBeLessThan(4 * MIB);
});

function withNumber(bytes: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt32LE(value, at);
  return changed;
}

function withByte(bytes: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = value;
  return changed;
}
