import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runPython } from '../../../engines/fetching/runPython.ts';
import { environmentWith } from '../../../engines/config.ts';
import { type TestFolder, makeFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';

let folder: TestFolder;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

/** An environment in which `python3` is this shell script. */
async function withPython(script: string): Promise<NodeJS.ProcessEnv> {
  await writeFile(join(folder.path, 'python3'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return environmentWith({ PATH: `${folder.path}:/usr/bin:/bin` });
}

const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('ending a Python process ends its children too', async () => {
  const started = join(folder.path, 'started');
  const env = await withPython(`sleep 1000 &\necho $! > ${started}.part && mv ${started}.part ${started}\nwait`);
  const stopping = new AbortController();
  const running = runPython(['-m', 'pip'], { signal: stopping.signal, env });
  const pidOf = () => readFile(started, 'utf8').then(Number, () => 0);
  await until(async () => (await pidOf()) > 0);
  stopping.abort(new Error('the end'));
  await expect(running).rejects.toThrow('the end');
  const pid = await pidOf();
  await until(() => !isThere(pid));
});

test('the error quotes a failed Python and names a missing one, and success gives none', async () => {
  const { signal } = new AbortController();
  const failing = await withPython('echo "No space left on device" >&2; exit 3');
  await expect(runPython(['-m', 'pip'], { signal, env: failing })).rejects.toThrow('No space left on device');
  await expect(runPython([], { signal, env: { PATH: '/nowhere' } })).rejects.toThrow('python3');
  await expect(runPython([], { signal, env: await withPython('exit 0') })).resolves.toBeUndefined();
});
