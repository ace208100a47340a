import { describe, expect, test } from '@jest/globals';
import { mediaTypeOf, successorOf } from '../../../db/files/fileName.ts';
import { OFFICE_TYPES } from '../../../db/files/officeTypes.ts';

const typeOf = (filename: string, content: string | Buffer) =>
  mediaTypeOf({ filename, head: typeof content === 'string' ? Buffer.from(content) : content });

describe('the media type of a file', () => {
  test.each([
    ['a.csv', 'a,b', 'text/csv'],
    ['a.CSV', 'a,b', 'text/csv'],
    ['a.json', '{}', 'application/json'],
    ['a.md', '# a', 'text/markdown'],
    ['a.py', 'x = 1', 'text/plain'],
    ['no-end', 'text', 'text/plain'],
    ['a.csv', Buffer.from('gr\xfc\xdfe;1', 'latin1'), 'text/csv'],
    ['a.txt', Buffer.from('\xff\xfea\0', 'latin1'), 'text/plain'],
    ['a.txt', '%PDF-1.7', 'application/pdf'],
    ['a.bin', Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'image/jpeg'],
    ['a.DOCX', Buffer.from('PK\x03\x04\x14\0', 'latin1'), OFFICE_TYPES['.docx']],
    ['a.xlsx', Buffer.from('PK\x03\x04\x14\0', 'latin1'), OFFICE_TYPES['.xlsx']],
    ['a', Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'), 'image/webp'],
    ['a', Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'), 'audio/wav'],
    ['a.m4a', Buffer.from('\0\0\0\x20ftypM4A ', 'latin1'), 'audio/mp4'],
  ])('of %s is detected by its bytes, then by its name', (filename, content, type) => {
    expect(typeOf(filename, content)).toBe(type);
  });

  test.each([
    ['a.zip', 'PK\x03\x04\x14\0'],
    ['a.docx', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    ['a.exe', 'MZ\x90\0\x03'],
    ['a.txt', 'nul\0byte'],
    ['a.gz', '\x1f\x8b\x08'],
  ])('of %s is undefined', (filename, content) => {
    expect(typeOf(filename, Buffer.from(content, 'latin1'))).toBeUndefined();
  });
});

describe('an old document of Office', () => {
  const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex');

  test.each([
    ['a.xls', 'XLSX'],
    ['a.XLSX', 'XLSX'],
    ['a.doc', 'DOCX'],
    ['a.dot', 'DOCX'],
    ['a.ppt', 'PPTX'],
    ['a.pot', 'PPTX'],
    ['a.txt', 'XLSX, DOCX or PPTX'],
  ])('of the name %s is to be converted to %s', (filename, format) => {
    expect(successorOf({ filename, head: compound })).toBe(format);
  });

  test('is known by its bytes, not by its name', () => {
    expect(successorOf({ filename: 'a.xls', head: Buffer.from('a,b') })).toBeUndefined();
    expect(successorOf({ filename: 'a.xls', head: compound.subarray(0, 7) })).toBeUndefined();
  });
});
