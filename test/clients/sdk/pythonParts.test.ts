import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { describeWithPython } from '../withPython.ts';
import { installPackage, type PythonPackage } from './pythonPackage.ts';

const tests = join(import.meta.dirname, 'python/test_parts.py');
const CLASSES = [
  'Retries',
  'Interrupts',
  'Requests',
  'Files',
  'Webhooks',
  'Bills',
  'Streams',
  'ResumedStreams',
  'Typed',
];

describeWithPython('the parts of the package for Python', () => {
  let installed: PythonPackage;
  beforeAll(async () => {
    installed = await installPackage();
  }, 600_000);
  afterAll(() => installed?.remove());

  test.each(CLASSES)('%s pass their tests', async (name) => {
    const { status, output } = await installed.call([tests, name]);
    if (status !== 0) throw new Error(output);
    expect(output).toMatch(/Ran \d+ tests? /);
  });
});
