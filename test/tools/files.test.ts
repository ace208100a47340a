import { describe, expect, test } from '@jest/globals';
import { listFiles, searchFiles, writeFile, readFile } from '../../tools/fileTools.ts';
import { filePathOf } from '../../tools/sessionFiles.ts';
import { docxOf, xlsxOf } from './documents/officeFiles.ts';
import { pdfOf } from './documents/pdfBytes.ts';
import { contextOf, failureOf, MemoryFiles } from './toolStage.ts';

describe('paths', () => {
  const refused = [
    '',
    '/',
    '/etc/passwd',
    '.',
    '..',
    '../a',
    'a/../b',
    'a/./b',
    'a//b',
    'a/',
    'a\\b',
    '..\\a',
    'a\0b',
    'a\nb',
    'a\u0085b',
    '\ud800',
    'x'.repeat(256),
    'ü'.repeat(128),
    Array.from({ length: 600 }, () => 'ab').join('/'),
  ];

  test.each(refused)('%j is refused by every tool that takes a path', async (path) => {
    const files = new MemoryFiles({ a: 'secret' });
    expect(await failureOf(writeFile.run({ path, content: 'x' }, contextOf(files)))).toMatch(/is not a valid path/);
    expect(await failureOf(readFile.run({ path }, contextOf(files)))).toMatch(/is not a valid path/);
    expect(await failureOf(searchFiles.run({ path, query: 'secret' }, contextOf(files)))).toMatch(
      /is not a valid path/,
    );
    expect([...files.held.keys()]).toEqual(['a']);
  });

  test.each([
    'a.txt',
    '.hidden',
    '...',
    'a b',
    'reports/juin.csv',
    '%2e%2e',
    '%2e%2e%2fa',
    'x'.repeat(255),
    '\uff0e\uff0e',
    'a\u2215b',
  ])('%j is an ordinary name', (path) => {
    expect(filePathOf(path)).toBe(path);
  });

  test('are normalised to one form of Unicode', () => {
    expect(filePathOf('u\u0308ber.txt')).toBe('\u00fcber.txt');
  });
});

describe('write_file', () => {
  test('writes the text under the media type of its name', async () => {
    const files = new MemoryFiles();
    const { text } = await writeFile.run({ path: 'out/a.csv', content: 'ü\n' }, contextOf(files));
    expect(text).toBe('Wrote out/a.csv (3 bytes).');
    expect(files.held.get('out/a.csv')).toEqual({ bytes: new TextEncoder().encode('ü\n'), mediaType: 'text/csv' });
  });

  test('passes on the reason when the session refuses it', async () => {
    const files = new MemoryFiles();
    files.refused.add('a.txt');
    expect(await failureOf(writeFile.run({ path: 'a.txt', content: '' }, contextOf(files)))).toBe(
      'The session is full.',
    );
  });
});

describe('list_files', () => {
  test('lists path, media type and size', async () => {
    const { text } = await listFiles.run({}, contextOf(new MemoryFiles({ 'a.txt': 'abc' })));
    expect(text).toBe('a.txt (application/octet-stream, 3 bytes)');
  });

  test('reports when there are none, and how many are not shown', async () => {
    const many = new MemoryFiles(Object.fromEntries(Array.from({ length: 503 }, (_, at) => [`${at}.txt`, ''])));
    expect((await listFiles.run({}, contextOf())).text).toBe('The session has no files.');
    expect((await listFiles.run({}, contextOf(many))).text).toMatch(/\n\[3 more files are not shown\.\]$/);
  });
});

describe('search_files', () => {
  const search = async (texts: Record<string, string | Uint8Array>, args: object) =>
    (await searchFiles.run(args, contextOf(new MemoryFiles(texts)))).text;

  test('finds lines case-insensitively, with the offset for read_file', async () => {
    const whole = 'one\ntwo\nThree Bananas\n';
    const text = await search({ 'a.txt': whole, 'b.txt': 'none' }, { query: 'banana' });
    expect(text).toBe('a.txt (offset 8): Three Bananas');
    expect(whole.slice(8)).toMatch(/^Three/);
  });

  test('treats the query as plain text', async () => {
    expect(await search({ 'a.txt': 'a+b\naab\n(a+)+$' }, { query: '(a+)+$' })).toBe('a.txt (offset 8): (a+)+$');
  });

  test('can be limited to a folder or a file', async () => {
    const texts = { 'a/x.txt': 'hit', 'ab/x.txt': 'hit', b: 'hit' };
    expect(await search(texts, { query: 'hit', path: 'a' })).toBe('a/x.txt (offset 0): hit');
    expect(await search(texts, { query: 'hit', path: 'b' })).toBe('b (offset 0): hit');
  });

  test('finds text in workbooks and documents, and names those that are damaged', async () => {
    const files = {
      'a.xlsx': xlsxOf('<row><c><v>7</v></c><c t="str"><v>Totals</v></c></row>'),
      'b.docx': docxOf('<w:p><w:t>In total</w:t></w:p>'),
      'c.xlsx': 'PK\u0003\u0004 and nothing else',
    };
    expect(await search(files, { query: 'total' })).toBe(
      'a.xlsx (offset 19): | 7 | Totals |\nb.docx (offset 0): In total\n[Not searched, because too large or not text: c.xlsx]',
    );
  });

  test('searches PDF files and names those it cannot read', async () => {
    const text = await search({ 'a.pdf': pdfOf(['Total 42']), 'b.bin': Uint8Array.of(0, 1) }, { query: 'total' });
    expect(text).toBe('a.pdf (offset 14): Total 42\n[Not searched, because too large or not text: b.bin]');
  });

  test('shows a long line around the match, and limits their number', async () => {
    const line = `${'x'.repeat(5000)}needle${'y'.repeat(5000)}\n`;
    const text = await search({ 'a.txt': line.repeat(150) }, { query: 'NEEDLE' });
    const lines = text.split('\n');
    expect(lines).toHaveLength(101);
    expect(lines[0]).toContain('needle');
    expect(lines[0]!.length).toBeLessThan(300);
    expect(lines.at(-1)).toBe('[Only the first 100 lines are shown.]');
  });

  test('reports when nothing was found', async () => {
    expect(await search({ 'a.txt': 'a' }, { query: 'b' })).toBe("No line contains 'b'.");
  });
});
