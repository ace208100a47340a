import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { findRecogniser } from '../../../engines/transcription/pocketsphinx.ts';
import { createPocketsphinxTranscription } from '../../../engines/transcription/pocketsphinxTranscription.ts';
import { createSpareRecogniser } from '../../../engines/transcription/spareRecogniser.ts';
import { streamOf, tone } from '../../calls/audio/sounds.ts';
import { until } from '../../support/until.ts';
import { dataDir, describeWithRecogniser, never } from './spokenStage.ts';

/** The recognisers that this process has started. */
function recognisers(): string[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ');
  return children.filter(Boolean).filter((pid) => commandOf(pid).includes('transcribe.py'));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** The only one, once it is there. While a process becomes its program, it has no command for a moment. */
async function theOnly(butNot?: string, meanwhile = () => {}): Promise<string> {
  let found: string[] = [];
  await until(() => {
    meanwhile();
    found = recognisers();
    return found.length === 1 && found[0] !== butNot;
  });
  return found[0]!;
}

/** Whether this is the only one. A process that is just becoming its program has no command: wait for this. */
const isOnly = (pid: unknown): boolean => recognisers().join() === String(pid);

describeWithRecogniser('a recogniser that is started ahead', () => {
  test('serves one call, and is replaced when it has ended', async () => {
    const found = await findRecogniser(dataDir);
    const spare = createSpareRecogniser();
    spare.prepare(found);
    spare.prepare(found);
    const ahead = await theOnly();
    process.kill(Number(ahead), 'SIGKILL');
    await theOnly(ahead, () => spare.prepare(found));
    const child = spare.take(found);
    await until(() => isOnly(child.pid));
    const [ready] = (await once(child.stdout, 'data')) as [Buffer];
    expect(JSON.parse(String(ready))).toEqual({ ready: true });
    child.kill('SIGKILL');
    await once(child, 'close');
    await spare.close();
    expect(recognisers()).toEqual([]);
  });

  test('counts as one that runs, follows each call, and ends with the provider', async () => {
    const hearing = createPocketsphinxTranscription({ dataDir, processes: 1, waitingMax: 0 });
    await hearing.prepare();
    const ahead = await theOnly();
    const events = hearing.transcribe(streamOf(tone({ seconds: 1 })), {}, never)[Symbol.asyncIterator]();
    const ending = events.next();
    await hearing.prepare();
    await until(() => isOnly(ahead));
    expect((await ending).value).toMatchObject({ type: 'done', transcript: { text: '' } });
    await events.return!();
    await theOnly(ahead);
    await hearing.close();
    expect(recognisers()).toEqual([]);
    await hearing.prepare();
    expect(recognisers()).toEqual([]);
  });
});
