import { afterAll, beforeAll, expect } from '@jest/globals';
import { wavHeader } from '../../../base/wavHeader.ts';
import { fox, setVoiceStage, type VoiceStage } from '../../api/voice/voiceStage.ts';
import { balanceOf } from '../../support/account.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { makeRecogniser, testWithRecogniser } from '../../support/sound.ts';
import { until } from '../../support/until.ts';

const nanosPerMs = 100;
const sampleBytesPerMs = 32;
let stage: VoiceStage;

beforeAll(async () => {
  await makeRecogniser();
  stage = await setVoiceStage();
}, 600_000);
afterAll(() => stage.close());

testWithRecogniser(
  'a client that leaves after the first words pays for the sound read so far, not for all of it',
  async () => {
    // Four minutes of continuous speech: the recogniser takes twenty seconds at a time, and some more are buffered.
    const sound = await stage.sound('pcm_16000', `${fox} `.repeat(80));
    const listener = await stage.account({ balanceNanos: stage.creditNanos });
    const form = new FormData();
    form.set('model', 'gpt-4o-transcribe');
    form.set('stream', 'true');
    form.set('file', new Blob([wavHeader({ sampleRate: 16_000 }), sound]), 'speech.wav');
    const leaving = new AbortController();
    const response = await fetch(`${stage.api.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${listener.secret}` },
      body: form,
      signal: leaving.signal,
    });
    expect(response.status).toBe(200);
    await response.body!.getReader().read();
    leaving.abort();
    const requests = async () => {
      await stage.db.ledger.posted();
      const sql = 'select status, cancelled, cost_nanos from requests where key_id = $1';
      return (await stage.db.pool.query(sql, [listener.keyId])).rows;
    };
    await until(async () => (await requests()).length === 1);
    const [bill] = await requests();
    expect(bill).toMatchObject({ status: 499, cancelled: true });
    const costNanos = BigInt(bill!.cost_nanos as string);
    const paidMs = Number(costNanos) / nanosPerMs;
    expect(paidMs).toBeGreaterThan(1_000);
    expect(paidMs).toBeLessThan(sound.length / sampleBytesPerMs / 2);
    expect(await balanceOf(stage.db, listener.workspaceId)).toBe(stage.creditNanos - costNanos);
    await expectSoundLedger(stage.db);
  },
);
