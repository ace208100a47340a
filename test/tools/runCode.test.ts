import { describe, expect, test } from '@jest/globals';
import type { Outcome, Program } from '../../tools/sandbox/sandbox.ts';
import { sharedSandbox } from '../support/sandbox.ts';
import { docxOf, xlsxOf } from './documents/officeFiles.ts';
import { runCode } from '../../tools/runCode.ts';
import { scriptedSandbox } from './scriptedSandbox.ts';
import { contextOf, failureOf, MemoryFiles } from './toolStage.ts';

const MIB = 1024 * 1024;
const bytes = (text: string) => new TextEncoder().encode(text);

async function run(
  outcome: Partial<Outcome> | ((program: Program) => Partial<Outcome>),
  files = new MemoryFiles(),
  args: object = {},
) {
  const { sandbox, programs } = scriptedSandbox(typeof outcome === 'function' ? outcome : () => outcome);
  const result = await runCode(sandbox).run({ code: 'x', ...args }, contextOf(files));
  return { ...result, program: programs[0]! };
}

describe('run_code', () => {
  test("offers the sandbox's languages", () => {
    const { sandbox } = scriptedSandbox();
    expect(runCode(sandbox).definition.parameters).toMatchObject({
      properties: { language: { enum: ['javascript', 'python'] } },
      required: ['code'],
      additionalProperties: false,
    });
    const onlyJavaScript = runCode({ ...sandbox, languages: ['javascript'] });
    expect(onlyJavaScript.definition.description).not.toContain('Python');
  });

  test('returns the output, the errors, the value and the ending', async () => {
    const all = { stdout: 'out\n', stderr: 'err\n', result: '42', ending: 'timed_out', durationMs: 1234 } as const;
    const { text, isError, sandboxMs } = await run(all);
    expect(text).toBe(
      'out\n[Errors]\nerr\n[Value of the last expression]\n42\n[The program ended: it ran longer than it may.]',
    );
    expect({ isError, sandboxMs }).toEqual({ isError: true, sandboxMs: 1234 });
  });

  test('reports when nothing was printed', async () => {
    expect(await run({})).toMatchObject({ text: '[The program printed nothing.]', isError: false });
  });

  test("passes the session's files to the program", async () => {
    const { program } = await run({}, new MemoryFiles({ 'a/b.csv': 'x' }));
    expect(program).toEqual({ language: 'javascript', code: 'x', files: [{ path: 'a/b.csv', bytes: bytes('x') }] });
  });

  test('passes first the files that the code names, then the small ones, and lists those that did not fit', async () => {
    const big = new Uint8Array(7 * MIB);
    const files = new MemoryFiles({ 'other.bin': big, 'small.txt': 'x', 'wanted.bin': big });
    const { program, text } = await run({}, files, { code: 'readFileBytes("wanted.bin")' });
    expect(program.files.map(({ path }) => path)).toEqual(['wanted.bin', 'small.txt']);
    expect(text).toContain('[Not given to the program, for want of room: other.bin.]');
  });

  test('passes the contents of documents that the code names, and says which cannot be read', async () => {
    const row = '<row><c t="str"><v>Tea</v></c><c><v>3</v></c></row>';
    const files = new MemoryFiles({
      'a.xlsx': xlsxOf(row),
      'b.docx': docxOf('<w:p><w:t>Hi</w:t></w:p>'),
      'c.docx': 'PK\u0003\u0004',
    });
    const code = "readFile('a.xlsx.json'); readFile('b.docx.txt'); readFile('c.docx.txt')";
    const { program, text } = await run({}, files, { code });
    const given = new Map(program.files.map((file) => [file.path, Buffer.from(file.bytes).toString()]));
    expect(JSON.parse(given.get('a.xlsx.json')!)).toEqual([{ name: 'S', rows: [['Tea', 3]] }]);
    expect([given.get('b.docx.txt'), given.has('a.xlsx.txt'), given.has('c.docx.txt')]).toEqual(['Hi', false, false]);
    expect(text).toContain('[Not there: c.docx.txt. The document is damaged');
  });

  test('saves what the program wrote', async () => {
    const files = new MemoryFiles();
    const written = [
      { path: 'out.csv', bytes: bytes('a,b') },
      { path: 'raw', bytes: Uint8Array.of(0, 1) },
    ];
    const { text } = await run({ files: written }, files);
    expect(text).toContain('[Saved into the session: out.csv (3 bytes), raw (2 bytes).]');
    expect(files.held.get('out.csv')!.mediaType).toBe('text/csv');
    expect(files.held.get('raw')!.mediaType).toBe('application/octet-stream');
  });

  test('saves the others when the session refuses one, or a path leads outside', async () => {
    const files = new MemoryFiles();
    files.refused.add('full.txt');
    const written = ['full.txt', '../up.txt', 'ok.txt'].map((path) => ({ path, bytes: bytes('x') }));
    const { text, isError } = await run({ files: written }, files);
    expect(isError).toBe(false);
    expect([...files.held.keys()]).toEqual(['ok.txt']);
    expect(text).toContain('[Not saved: full.txt. The session is full.]');
    expect(text).toContain('[Not saved: ../up.txt. ');
  });

  test("throws the abort's reason, and saves nothing", async () => {
    const abort = new AbortController();
    const files = new MemoryFiles();
    const { sandbox } = scriptedSandbox(() => {
      abort.abort(new Error('cancelled'));
      return { ending: 'cancelled', files: [{ path: 'a', bytes: bytes('x') }] };
    });
    await expect(runCode(sandbox).run({ code: 'x' }, contextOf(files, abort.signal))).rejects.toThrow('cancelled');
    expect(files.held.size).toBe(0);
  });

  test('refuses a language that the sandbox does not have', async () => {
    const { sandbox } = scriptedSandbox();
    expect(await failureOf(runCode(sandbox).run({ code: 'x', language: 'ruby' }, contextOf()))).toMatch(/language: /);
  });
});

const sandbox = await sharedSandbox();

describe('run_code in the real sandbox', () => {
  test('computes over a file of the session and saves the result', async () => {
    const files = new MemoryFiles({ 'sales.csv': 'region,amount\nnorth,3\nsouth,4\n' });
    const code = `
      const rows = readFile('sales.csv').trim().split('\\n').slice(1).map((line) => line.split(','));
      const total = rows.reduce((sum, [, amount]) => sum + Number(amount), 0);
      writeFile('report/total.txt', 'Total: ' + total);
      console.log('rows', rows.length);
      total`;
    const { text, isError, sandboxMs } = await runCode(sandbox).run({ code }, contextOf(files));
    expect(text).toBe(
      'rows 2\n[Value of the last expression]\n7\n[Saved into the session: report/total.txt (8 bytes).]',
    );
    expect(isError).toBe(false);
    expect(sandboxMs).toBeGreaterThan(0);
    expect(files.textOf('report/total.txt')).toBe('Total: 7');
  });

  test('shows the program nothing of the host', async () => {
    const code = `[typeof process, typeof require, typeof fetch, listFiles().length].join()`;
    const { text } = await runCode(sandbox).run({ code }, contextOf());
    expect(text).toContain('"undefined,undefined,undefined,0"');
  });
});
