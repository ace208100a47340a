import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { onnxRuntime } from '../../../engines/fetching/engineList.ts';
import { fetchEngine } from '../../../engines/fetching/fetchEngine.ts';
import { kokoro, pronunciations } from '../../../engines/fetching/voiceEngines.ts';
import { makeFolder } from '../../support/folder.ts';

const dataDir = '.data';

const fetched = (engine: typeof kokoro) => fetchEngine(engine, { dataDir, onProgress: () => {} });
const folders = {
  folder: await fetched(kokoro),
  runtime: await fetched(onnxRuntime),
  dictionary: await fetched(pronunciations),
};

const SPEAK = `
  await thread.ready;
  const piece = 'A sentence that is being spoken while its voice is told to end.';
  thread.speak({ piece, voice: 'af_heart', speed: 1, marks: false }).then(
    ({ pcm }) => console.log(pcm.length > 24_000 ? 'spoken' : 'short'),
    String,
  );`;

/** Starts a voice in another process, runs `first`, and ends the voice after `waitMs`. Resolves to that process's exit code and output. */
async function endedAfter(
  waitMs: number,
  first = '',
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ code: number | null; said: string }> {
  const program = `
    import { setTimeout } from 'node:timers/promises';
    import { startVoiceThread } from './engines/neuralVoice/voiceThread.ts';
    const thread = startVoiceThread(${JSON.stringify({ engine: 'kokoro', ...folders })});
    thread.ready.catch(() => undefined);
    ${first}
    await setTimeout(${waitMs});
    await thread.end();
    console.log('ended', thread.hasEnded());`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { env });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

test.each([0, 50, 150, 300, 600, 1000, 1500])(
  'a voice that ends %d ms after its start does not end the process',
  async (waitMs) => {
    expect(await endedAfter(waitMs)).toEqual({ code: 0, said: 'ended true\n' });
  },
);

test('what is being spoken when a voice ends is spoken to its end', async () => {
  expect(await endedAfter(100, SPEAK)).toEqual({ code: 0, said: 'spoken\nended true\n' });
});

test('the engine makes no id of this machine and keeps no reports to send', async () => {
  const home = await makeFolder();
  try {
    // Only `CI` would keep it from reporting.
    const env = { PATH: process.env.PATH, HOME: home.path };
    expect(await endedAfter(0, SPEAK, env)).toMatchObject({ code: 0, said: expect.stringContaining('spoken') });
    expect(await readdir(home.path, { recursive: true })).toEqual([]);
  } finally {
    await home.remove();
  }
});
