import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { testWithPython } from '../withPython.ts';

const root = join(import.meta.dirname, '../../..');
const sources = join(root, 'clients/python/src/ledgerline');

// The fast test compares stamps; this one each byte.
testWithPython(
  'the package for Python is what its generator writes',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ledgerline-generated-'));
    try {
      await cp(sources, folder, { recursive: true });
      for (const name of ['generated/types.py', '_async/api.py', '_sync'])
        await rm(join(folder, name), { recursive: true });
      await cp(join(sources, '_sync/__init__.py'), join(folder, '_sync/__init__.py'));
      await promisify(execFile)(process.execPath, [join(root, 'clients/python/generate/main.ts'), folder]);
      expect(await textsIn(folder)).toEqual(await textsIn(sources));
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  600_000,
);

async function textsIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.py'));
  const texts = names.toSorted().map(async (name) => [name, await readFile(join(folder, name), 'utf8')]);
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}
