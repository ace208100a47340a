import { expect, test } from '@jest/globals';
import { Hearing } from '../../../api/realtime/input/hearing.ts';
import type { SoundMeter } from '../../../api/realtime/input/soundMeter.ts';
import type { Item } from '../../../api/realtime/session/items.ts';
import { newTranscriptionSession } from '../../../api/realtime/session/sessionConfig.ts';
import type { Services } from '../../../api/services.ts';
import type { Model } from '../../../db/catalog/catalog.ts';
import { CallAbort } from '../../../providers/callAbort.ts';

const MINUTE_SAMPLES = 60 * 16_000;

/** Hears with a recogniser that waits for `allow` before each of its transcripts. */
function setHearing() {
  const turns: (() => void)[] = [];
  async function* transcribe() {
    await new Promise<void>((resolve) => turns.push(resolve));
    yield { type: 'done', transcript: { text: 'Heard.', words: [] } };
  }
  const model = { id: 'listener' } as Model;
  const services = {
    catalog: { findOfKind: () => model },
    voiceProviders: { transcription: () => ({ transcribe }) },
  } as unknown as Services;
  const turn = (_abort: CallAbort, write: () => Promise<void>) => write;
  const meter = { held: {}, turn } as unknown as SoundMeter;
  const hearing = new Hearing({ services, model, meter, abort: new CallAbort(), emit: () => undefined });
  const item = () => ({ type: 'message', role: 'user', content: [{ type: 'input_audio' }] }) as unknown as Item;
  return {
    hearing,
    hearMinute: () => hearing.hear(item(), [new Int16Array(MINUTE_SAMPLES)], newTranscriptionSession()),
    allow: async () => {
      while (turns.length === 0) await new Promise((next) => setImmediate(next));
      turns.shift()!();
    },
  };
}

test('more sound waits while more than the longest turn is not written down yet', async () => {
  const { hearing, hearMinute, allow } = setHearing();
  for (let minutes = 0; minutes < 5; minutes++) hearMinute();
  expect(hearing.room()).toBeUndefined();
  hearMinute();
  const room = hearing.room();
  expect(room).toBeDefined();
  await allow();
  await room;
  expect(hearing.room()).toBeUndefined();
  for (let minutes = 1; minutes < 6; minutes++) await allow();
  await hearing.done();
});
