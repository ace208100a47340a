import { afterAll, describe, expect, test } from '@jest/globals';
import { pruneSpeech } from '../../../db/voices/speechHistory.ts';
import { setContentStage } from './contentStage.ts';

const stage = await setContentStage();
afterAll(() => stage.close());

describe('speech of a key that keeps contents', () => {
  test('speech is kept as its text and the facts of its audio, without the audio', async () => {
    const { requestId, status } = await stage.call('/v1/audio/speech', {
      model: 'tts-1',
      input: 'Good morning.',
      voice: 'alloy',
    });
    expect(status).toBe(200);
    expect((await stage.contentOf(requestId)).body).toMatchObject({
      request: { input: 'Good morning.', voice: 'alloy' },
      answer: { object: 'audio', media_type: 'audio/mpeg', bytes: expect.any(Number), duration_ms: expect.any(Number) },
    });
  });

  test('its audio is in the history of speech for as many days, and of other keys it is not', async () => {
    const speech = { model: 'tts-1', input: 'Kept for\0seven days.', voice: 'alloy', response_format: 'wav' };
    const { requestId } = await stage.call('/v1/audio/speech', speech);
    await stage.call('/v1/audio/speech', { ...speech, input: 'Not kept.' }, stage.account.secret);
    const history = async () => {
      const { body } = await stage.send('GET', '/voiceapi/v1/history', undefined, stage.keeping);
      return body.history as { history_item_id: string; text: string; request_id: string }[];
    };
    const kept = (await history()).find((item) => item.request_id === requestId)!;
    // What the database cannot store is replaced.
    expect(kept.text).toBe('Kept for\ufffdseven days.');
    expect((await history()).some(({ text }) => text === 'Not kept.')).toBe(false);
    expect((await stage.contentOf(requestId)).body.answer).toMatchObject({ history_item_id: kept.history_item_id });
    const audio = await fetch(`${stage.api.url}/voiceapi/v1/history/${kept.history_item_id}/audio`, {
      headers: { 'xi-api-key': stage.keeping },
    });
    expect([audio.status, audio.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    const { rows } = await stage.db.pool.query<{ days: number }>(
      `select extract(day from f.expires_at - f.created_at)::int as days from files f join speech_history h on h.file_id = f.id
       where h.id = $1 and extract(day from h.expires_at - h.created_at) = 7`,
      [kept.history_item_id],
    );
    expect(rows).toEqual([{ days: 7 }]);
    await stage.db.pool.query(`update speech_history set expires_at = now() - interval '1 second' where id = $1`, [
      kept.history_item_id,
    ]);
    expect((await history()).some((item) => item.request_id === requestId)).toBe(false);
    expect(await pruneSpeech(stage.db.pool)).toBe(1);
  });
});
