import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { installVenv, runPython } from '../pythonVenv.ts';
import { describeWithPython } from '../withPython.ts';
import { installPackage, type PythonPackage } from './pythonPackage.ts';

const scripts = join(import.meta.dirname, 'python');

// Both checkers, for the oldest and the newest Python.
const CHECKERS = ['mypy', 'pyright'].flatMap((checker) =>
  ['3.10', '3.13'].map((version) => [checker, version] as const),
);

describeWithPython('the types of the package for Python', () => {
  let installed: PythonPackage;
  let python: string;
  let folder: string;
  beforeAll(async () => {
    installed = await installPackage();
    python = await installVenv('venv-sdk-types', 'sdk-types-requirements.txt');
    folder = await mkdtemp(join(tmpdir(), 'ledgerline-types-'));
  }, 600_000);
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await installed?.remove();
  });

  function check(checker: string, version: string, path: string) {
    const strict = ['-m', 'mypy', '--strict', '--no-color-output', '--cache-dir', join(folder, '.mypy')];
    const args =
      checker === 'mypy'
        ? [...strict, '--python-version', version, '--python-executable', installed.python, path]
        : ['-m', 'pyright', '--pythonversion', version, '--pythonpath', installed.python, path];
    return runPython(python, args, { MYPYPATH: installed.site, PYTHONPATH: `${installed.site}:${folder}` });
  }

  test.each(CHECKERS)(
    'hold by %s in Python %s',
    async (checker, version) => {
      const { status, output } = await check(checker, version, join(installed.site, 'ledgerline'));
      if (status !== 0) throw new Error(output);
    },
    600_000,
  );

  describe.each(['pydantic', 'typed-dict'])('with agents of %s', (style) => {
    let script: string;
    let refused: number[];
    beforeAll(async () => {
      const { status, output } = await installed.call([join(scripts, 'write_agents.py'), folder, style]);
      if (status !== 0) throw new Error(output);
      script = join(folder, 'typed_calls.py');
      const text = await readFile(join(scripts, 'typed_calls.py'), 'utf8');
      await writeFile(script, style === 'pydantic' ? text : withKeys(text));
      refused = text.split('\n').flatMap((line, at) => (line.endsWith('# refused') ? [at + 1] : []));
    });

    test.each(CHECKERS)(
      'accept right calls and refuse wrong ones by %s in Python %s',
      async (checker, version) => {
        const { output } = await check(checker, version, script);
        const found = [...output.matchAll(/typed_calls\.py:(\d+)(?::\d+)?:? -? ?error/g)].map(([, line]) =>
          Number(line),
        );
        expect({ found: [...new Set(found)], output }).toEqual({ found: refused, output });
      },
      600_000,
    );
  });
});

/** The same calls where the data are dicts. */
const withKeys = (text: string): string =>
  text
    .replace('.data.lines or []', '.data.get("lines", [])')
    .replace('line.text', 'line["text"]')
    .replaceAll(/\.data\.(\w+)\b(?!\()/g, '.data["$1"]');
