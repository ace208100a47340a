import { describe, expect, test } from '@jest/globals';
import { readFile } from '../../tools/fileTools.ts';
import { pdfOf, pdfOfPages } from './documents/pdfBytes.ts';
import { contextOf, failureOf, MemoryFiles } from './toolStage.ts';

const read = (content: string | Uint8Array, args: object = {}) =>
  readFile.run({ path: 'a.txt', ...args }, contextOf(new MemoryFiles({ 'a.txt': content })));

const textOf = async (...given: Parameters<typeof read>) => (await read(...given)).text;

describe('read_file', () => {
  test('returns a short file unchanged', async () => {
    expect(await read('name,amount\nAda,3\n')).toEqual({ text: 'name,amount\nAda,3\n', isError: false, sandboxMs: 0 });
  });

  test('returns a long file in parts that join to the whole', async () => {
    const whole = Array.from({ length: 5000 }, (_, at) => `line ${at}`).join('\n');
    let joined = '';
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const text = await textOf(whole, { offset, limit: 9000 });
      joined += text.slice(0, text.lastIndexOf('\n['));
      const next = /next part begins at offset (\d+)\.\]$/.exec(text);
      offset = next ? Number(next[1]) : undefined;
    }
    expect(joined).toBe(whole);
  });

  test('reports an offset beyond the end, and an empty file', async () => {
    expect(await textOf('abc', { offset: 3 })).toBe('[The file ends before: it has 3 characters.]');
    expect(await textOf('')).toBe('[The file is empty.]');
  });

  test.each([
    ['UTF-8', Buffer.from('Zürich 日本 👍')],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffZürich 日本 👍')],
    ['UTF-16, little end first', Buffer.from('\ufeffZürich 日本 👍', 'utf16le')],
    ['UTF-16, big end first', Buffer.from('\ufeffZürich 日本 👍', 'utf16le').swap16()],
  ])('reads %s', async (_name, bytes) => {
    expect(await textOf(bytes)).toBe('Zürich 日本 👍');
  });

  test('reads Latin-1 when the bytes are not UTF-8', async () => {
    expect(await textOf(Buffer.from('Zürich', 'latin1'))).toBe('Zürich');
  });

  test('does not split a character', async () => {
    expect((await textOf('👍👍', { limit: 1 })).isWellFormed()).toBe(true);
  });

  test('converts a PDF to text, page by page', async () => {
    expect(await textOf(pdfOfPages([null]))).toContain('The page is a picture, as of a scan, and has no text.');
    const text = await textOf(pdfOf(['Invoice 17', 'Total 42.00'], 2));
    expect(text).toBe('[Page 1 of 2]\nInvoice 17\nTotal 42.00\n[Page 2 of 2]\nInvoice 17\nTotal 42.00\n');
  });

  test('treats a text that mentions PDF as text', async () => {
    expect(await textOf('A PDF begins with %PDF-1.7')).toBe('A PDF begins with %PDF-1.7');
  });

  test('converts a page to text, and shows its source when asked to', async () => {
    const files = new MemoryFiles({ 'a.html': '<h1>Hi</h1>' });
    const readPage = (args: object) => readFile.run({ path: 'a.html', ...args }, contextOf(files));
    expect([(await readPage({})).text, (await readPage({ source: true })).text]).toEqual(['# Hi', '<h1>Hi</h1>']);
  });

  test('shows a picture to a model that sees, and refuses it for others', async () => {
    const files = new MemoryFiles();
    await files.write({ path: 'a.png', bytes: Buffer.from('89504e470d0a1a0a', 'hex'), mediaType: 'image/png' });
    await files.write({ path: 'b.png', bytes: Buffer.from('<svg>'), mediaType: 'image/png' });
    const context = contextOf(files);
    const shown = await readFile.run({ path: 'a.png' }, { ...context, pictureTypes: ['image/png'] });
    expect(shown).toMatchObject({ text: 'The picture a.png follows.', picture: 'a.png' });
    expect(await failureOf(readFile.run({ path: 'a.png' }, context))).toMatch(/cannot see pictures/);
    const none = readFile.run({ path: 'b.png' }, { ...context, pictureTypes: ['image/png'] });
    expect(await failureOf(none)).toMatch(/is no picture/);
  });

  test('names the type of a binary file', async () => {
    const files = new MemoryFiles({ 'a.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1) });
    const said = failureOf(readFile.run({ path: 'a.png' }, contextOf(files)));
    expect(await said).toBe("'a.png' is not text: image/png, 8 bytes.");
  });

  test('reports that there is no such file', async () => {
    const said = await failureOf(readFile.run({ path: 'b.txt' }, contextOf()));
    expect(said).toMatch(/no file 'b\.txt' in the session/);
  });

  test.each([
    [{}, /path: /],
    [{ path: 'a.txt', offset: -1 }, /offset: /],
    [{ path: 'a.txt', limit: 1e9 }, /limit: /],
    [{ path: 'a.txt', encoding: 'x' }, /encoding/],
    ['a.txt', /arguments: /],
  ])('refuses invalid arguments: %j', async (args, sentence) => {
    expect(await failureOf(readFile.run(args, contextOf()))).toMatch(sentence);
  });

  test('treats null as an omitted parameter', async () => {
    expect(await textOf('abc', { offset: null, limit: null })).toBe('abc');
  });
});
