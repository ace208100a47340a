import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSandbox, type Program, type Sandbox } from '../../sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ tier: 'quickjs' });
});
afterAll(() => sandbox.close());

const run = (code: string, files: Program['files'] = []) =>
  sandbox.run({ language: 'javascript', code, files }, new AbortController().signal);
const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text) });
const textsOf = (files: Program['files']) =>
  Object.fromEntries(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]));

describe('a JavaScript program', () => {
  test('prints, and gives the value of its last expression as JSON', async () => {
    const outcome = await run(
      `console.log('sum', { of: [1, 2] }); console.error('odd'); const n = 3; ({ n, big: 5n })`,
    );
    expect(outcome).toMatchObject({
      ending: 'ok',
      stdout: 'sum {"of":[1,2]}\n',
      stderr: 'odd\n',
      result: '{"n":3,"big":"5"}',
      files: [],
    });
    expect(outcome.durationMs).toBeGreaterThan(0);
  });

  test('reads the files it is given and gives back those that it wrote', async () => {
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

  test('may await at the top level', async () => {
    expect(await run('const six = await Promise.resolve(6); six * 7')).toMatchObject({ ending: 'ok', result: '42' });
  });

  test('that throws ends with its own words and the line', async () => {
    const { ending, stderr, result } = await run('function f() {\n  null.x;\n}\nf();');
    expect({ ending, result }).toEqual({ ending: 'error', result: null });
    expect(stderr).toMatch(/^TypeError: .*null\n.*at f \(program\.js:2:/);
  });
});
