import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  openSandbox,
  type Language,
  type Program,
  type Sandbox,
  type SandboxTier,
} from '../../../tools/sandbox/sandbox.ts';
import { file, sharedSandbox, textsOf } from '../../support/sandbox.ts';
import { describeTiers } from '../../support/sandboxTiers.ts';

let sandbox: Sandbox;
const opened = new Map<SandboxTier, Promise<Sandbox>>();
afterAll(async () => {
  for (const one of opened.values()) await (await one).close();
});

/** The sandbox of a tier, opened once: its escape suite takes two seconds. */
async function open(tier: SandboxTier): Promise<void> {
  if (tier !== 'quickjs' && !opened.has(tier)) opened.set(tier, openSandbox({ tier }));
  sandbox = await (opened.get(tier) ?? sharedSandbox());
}

const runIn =
  (language: Language) =>
  (code: string, files: Program['files'] = []) =>
    sandbox.run({ language, code, files }, new AbortController().signal);

describeTiers('a JavaScript program', ['quickjs', 'bwrap', 'gvisor'], (tier) => {
  beforeAll(() => open(tier));
  const run = runIn('javascript');

  test('prints, and returns the value of its last expression as JSON', async () => {
    const outcome = await run(`console.log('one', 2); console.error('odd'); const n = 3; ({ n, big: 5n })`);
    expect(outcome).toMatchObject({
      ending: 'ok',
      stdout: 'one 2\n',
      stderr: 'odd\n',
      result: '{"n":3,"big":"5"}',
      files: [],
    });
    expect(outcome.durationMs).toBeGreaterThan(0);
  });

  test('has no result when its last statement has no value', async () => {
    expect(await run('let n = 1; undefined')).toMatchObject({ ending: 'ok', result: null });
    expect(await run('')).toMatchObject({ ending: 'ok', result: null });
  });

  test('reads its given files, and its written ones are returned', async () => {
    const outcome = await run(
      `const rows = readFile('in/data.csv').split('\\n').map(Number);
       writeFile('out/sum.txt', String(rows.reduce((a, b) => a + b)));
       writeFile('out/raw.bin', readFileBytes('in/data.csv').slice(0, 1));
       listFiles()`,
      [file('in/data.csv', '1\n2\n39')],
    );
    expect(outcome.stderr).toBe('');
    expect(textsOf(outcome.files)).toEqual({ 'out/sum.txt': '42', 'out/raw.bin': '1' });
    expect(JSON.parse(outcome.result!)).toEqual(['in/data.csv', 'out/raw.bin', 'out/sum.txt']);
  });

  test('prints, reads and writes texts with a NUL completely', async () => {
    const code = `const text = readFile('in'); console.log(text + '\\0|'); writeFile('out', text + '\\0!'); text.length`;
    const { stdout, files, result } = await run(code, [file('in', 'a\0b')]);
    expect({ stdout, result, files: textsOf(files) }).toEqual({
      stdout: 'a\0b\0|\n',
      result: '3',
      files: { out: 'a\0b\0!' },
    });
  });

  test('reads texts with a byte order mark or in Windows-1252', async () => {
    const { result } = await run(`['a', 'b', 'c'].map((path) => readFile(path))`, [
      { path: 'a', bytes: Buffer.from('\ufeffsum,é', 'utf8') },
      { path: 'b', bytes: Buffer.from('\ufeffsum,é', 'utf16le') },
      { path: 'c', bytes: Buffer.from('sum,é', 'latin1') },
    ]);
    expect(JSON.parse(result!)).toEqual(['sum,é', 'sum,é', 'sum,é']);
  });

  test('changes a given file', async () => {
    const outcome = await run(`writeFile('a', readFile('a') + '!')`, [file('a', 'one'), file('b', 'two')]);
    expect(textsOf(outcome.files)).toEqual({ a: 'one!' });
  });

  test('has a description of a result that is not JSON', async () => {
    expect(await run('const ring = {}; ring.ring = ring; ring')).toMatchObject({
      ending: 'ok',
      result: '"[object Object]"',
    });
  });

  test('may await at the top level', async () => {
    expect(await run('const six = await Promise.resolve(6); six * 7')).toMatchObject({ ending: 'ok', result: '42' });
  });

  test('that throws ends with its own message and line', async () => {
    const { ending, stderr, result } = await run('function f() {\n  null.x;\n}\nf();');
    expect({ ending, result }).toEqual({ ending: 'error', result: null });
    expect(stderr).toMatch(/^TypeError: .*null.*\n.*at f \(program\.js:2:/);
  });

  test('that is invalid ends with the reason', async () => {
    const { ending, stderr } = await run('this is no program');
    expect(ending).toBe('error');
    expect(stderr).toMatch(/^SyntaxError: /);
  });

  test('that waits for a promise that never settles ends at once, with the reason', async () => {
    const { ending, stderr } = await run('await new Promise(() => {})');
    expect(ending).toBe('error');
    expect(stderr).toContain('a promise that never settles');
  });

  test('sees nothing of the previous program', async () => {
    await run(`globalThis.left = 1; Array.prototype.left = 1; writeFile('left', '1')`);
    expect(await run(`[typeof left, [].left === undefined, listFiles()]`)).toMatchObject({
      result: '["undefined",true,[]]',
    });
  });
});

describeTiers('a Python program', ['bwrap', 'gvisor'], (tier) => {
  beforeAll(() => open(tier));
  const run = runIn('python');

  test('prints, reads its given files, and its written ones are returned', async () => {
    const outcome = await run(
      'import csv\nrows = list(csv.reader(open("in/data.csv")))\nopen("n.txt", "w").write(str(len(rows)))\nprint(rows)',
      [file('in/data.csv', 'a,b\n1,2\n')],
    );
    expect(outcome).toMatchObject({ ending: 'ok', stdout: "[['a', 'b'], ['1', '2']]\n", stderr: '', result: null });
    expect(textsOf(outcome.files)).toEqual({ 'n.txt': '2' });
  });

  test('that throws ends with its own traceback only', async () => {
    const { ending, stderr } = await run('def f():\n    raise ValueError("bad")\nf()');
    expect(ending).toBe('error');
    expect(stderr).toBe(
      'Traceback (most recent call last):\n  File "program.py", line 3, in <module>\n    f()\n' +
        '  File "program.py", line 2, in f\n    raise ValueError("bad")\nValueError: bad\n',
    );
  });

  test('keeps its files beside those whose names are not UTF-8 or not allowed, and is told of these', async () => {
    const code = `import os
open('kept.txt', 'w').write('kept')
open(b'caf\\xe9.txt', 'w').write('odd')
os.mkdir(b'dir\\xff')
open(b'dir\\xff/in.txt', 'w').write('odd')
open('line\\nbreak.txt', 'w').write('odd')
print('done')`;
    const { ending, stdout, stderr, files } = await run(code);
    expect({ ending, stdout, files: files.map(({ path }) => path) }).toEqual({
      ending: 'ok',
      stdout: 'done\n',
      files: ['kept.txt'],
    });
    expect(stderr).toMatch(/^Left out, .*caf\uFFFD\.txt.*\n$/);
  });

  test('ignores links, pipes and their targets', async () => {
    const outcome = await run(
      'import os\nos.symlink("/etc/passwd", "link")\nos.symlink("/", "root")\nos.mkfifo("pipe")\nopen("kept", "w").write("1")',
    );
    expect({ ending: outcome.ending, files: textsOf(outcome.files) }).toEqual({ ending: 'ok', files: { kept: '1' } });
  });
});
