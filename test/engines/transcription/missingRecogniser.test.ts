import { afterEach, expect, jest, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPocketsphinxTranscription } from '../../../engines/transcription/pocketsphinxTranscription.ts';
import { streamOf, tone } from '../../calls/audio/sounds.ts';
import { productGlobal } from '../../support/productRealm.ts';
import { makeFolder, type TestFolder } from '../../support/folder.ts';
import { collect } from '../../support/streams.ts';

const never = new AbortController().signal;
const { env } = productGlobal.process;
const { PATH } = env;
let folder: TestFolder | undefined;
afterEach(async () => {
  env.PATH = PATH;
  jest.restoreAllMocks();
  await folder?.remove();
});

test('a missing recogniser is looked for once in a while, not by each call', async () => {
  folder = await makeFolder();
  const looks = join(folder.path, 'looks');
  await writeFile(join(folder.path, 'python3'), `#!/bin/sh\necho look >> ${looks}\nexit 1\n`, { mode: 0o755 });
  env.PATH = `${folder.path}:${PATH}`;
  const wait = jest.spyOn(productGlobal, 'setTimeout');
  const hearing = createPocketsphinxTranscription({ dataDir: folder.path, processes: 1, waitingMax: 0 });
  const call = () => collect(hearing.transcribe(streamOf(tone({ seconds: 1 })), {}, never));
  const count = () => readFileSync(looks, 'utf8').trim().split('\n').length;
  for (let calls = 0; calls < 3; calls += 1) await expect(call()).rejects.toMatchObject({ fault: 'unavailable' });
  expect(count()).toBe(1);
  // Other timers of this process may have the same length.
  const [pass] = wait.mock.calls.find(([look, ms]) => ms === 10_000 && String(look).includes('recogniser'))!;
  pass();
  await expect(call()).rejects.toMatchObject({ fault: 'unavailable' });
  expect(count()).toBe(2);
  await hearing.close();
});
