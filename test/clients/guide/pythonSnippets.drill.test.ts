import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, type TestFolder } from '../../support/folder.ts';
import { installPackage, type PythonPackage } from '../sdk/pythonPackage.ts';
import { describeWithPython } from '../withPython.ts';
import { setSnippetStage, type SnippetStage } from './snippetStage.ts';

const PROGRAMS = ['run', 'stream', 'answer', 'files', 'pages', 'errors', 'costs', 'vendor'] as const;

describeWithPython('the programs of the guide for Python', () => {
  let stage: SnippetStage;
  let installed: PythonPackage;
  let folder: TestFolder;

  beforeAll(async () => {
    installed = await installPackage();
    stage = await setSnippetStage();
    folder = await makeFolder();
    await stage.writeTable(folder.path);
  }, 600_000);
  afterAll(async () => {
    await stage?.close();
    await installed?.remove();
    await folder?.remove();
  });

  test('that of the quick start works as it is written', async () => {
    const [script, printed] = stage.expected.run;
    stage.upstream.script(script);
    const program = join(folder.path, 'start.py');
    await writeFile(program, await stage.textOf('ledgerline-python.py'));
    const { LEDGERLINE_BASE_URL: BASE_URL, LEDGERLINE_API_KEY: API_KEY } = stage.env;
    const { status, output } = await installed.call([program], { BASE_URL, API_KEY });
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(printed) });
  });

  test.each(PROGRAMS)('%s works as it is written', async (name) => {
    const [script, printed] = stage.expected[name];
    stage.upstream.script(script);
    const program = join(folder.path, `${name}.py`);
    await writeFile(program, await stage.textOf(`clients/${name}.py`));
    const { status, output } = await installed.call([program], stage.env, { cwd: folder.path });
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(printed) });
    if (name === 'files') expect(await readFile(join(folder.path, 'total.md'), 'utf8')).toBe('Total: 42');
  });

  test('those that verify bills work as they are written', async () => {
    stage.upstream.script({ text: 'Rain.' });
    const requestId = await stage.writeBill(folder.path);
    const print = async (name: string, ...args: string[]) => {
      const program = join(folder.path, `${name}.py`);
      await writeFile(program, await stage.textOf(`clients/${name}.py`));
      return (await installed.call([program, ...args], stage.env, { cwd: folder.path })).output;
    };
    expect(await print('receipt', requestId)).toMatch(/^debit -\d+ /m);
    expect(await print('statement')).toMatch(/signed_sequence=\d+/);
  });
});
