import { afterAll, expect, test } from '@jest/globals';
import { until } from '../../support/until.ts';
import { fox, read, setVoiceStage } from './voiceStage.ts';

const stage = await setVoiceStage();
afterAll(() => stage.close());

test("models, user and subscription match the vendor's clients", async () => {
  const models = await read<{ model_id: string }[]>(await stage.call('/voiceapi/v1/models'));
  expect(models.map(({ model_id: id }) => id)).toContain('ledgerline-speech');
  const user = await read<{ subscription: { character_limit: number } }>(await stage.call('/voiceapi/v1/user'));
  expect(user.subscription.character_limit).toBeGreaterThan(100_000);
  expect(await read(await stage.call('/voiceapi/v1/user/subscription'))).toMatchObject({ tier: 'prepaid' });
  const account = await stage.account({ balanceNanos: stage.creditNanos });
  const limits = async () =>
    read<{ character_count: number; character_limit: number; next_character_count_reset_unix: number }>(
      await stage.call('/voiceapi/v1/user/subscription', { key: account.secret }),
    );
  const before = await limits();
  await (await stage.speak('alloy', {}, account.secret)).arrayBuffer();
  const after = await limits();
  expect([before.character_count, after.character_count]).toEqual([0, fox.length]);
  // The call's hold is free a moment later.
  await until(async () => (await limits()).character_limit === before.character_limit);
  expect(new Date(after.next_character_count_reset_unix * 1_000).toISOString()).toMatch(/-01T00:00:00.000Z$/);
});

test('calls are of the product of their model, at each of their addresses', async () => {
  const { secret, keyId } = await stage.account({ balanceNanos: stage.creditNanos });
  const audio = await stage.sound('wav_16000');
  const answers = [
    await stage.speak('alloy', {}, secret),
    await stage.send('/voiceapi/v1/speech-to-text', { file: audio, model_id: 'scribe_v1' }, secret),
    await stage.send('/voiceapi/v1/speech-to-speech/echo', { audio }, secret),
    await stage.send('/voiceapi/v1/voice-changer/echo/stream', { audio }, secret),
  ];
  for (const answer of answers) await answer.arrayBuffer();
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const sql = 'select product, count(*)::int as calls from requests where key_id = $1 group by 1 order by 1';
  const read = async () => (await stage.db.pool.query<{ product: string; calls: number }>(sql, [keyId])).rows;
  await until(async () => (await read()).reduce((sum, { calls }) => sum + calls, 0) === answers.length);
  expect(await read()).toEqual([
    { product: 'speech', calls: 1 },
    { product: 'transcription', calls: 1 },
    { product: 'voice_conversion', calls: 2 },
  ]);
});
