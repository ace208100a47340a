import { afterAll, expect, test } from '@jest/globals';
import { setGuardStage } from '../../support/guardStage.ts';

const stage = await setGuardStage();
afterAll(() => stage.close());

test.each([
  [{ model: 'gpt-x' }, 'model'],
  [{ input_audio_transcription: { model: 'gpt-x' } }, 'input_audio_transcription.model'],
])('a model that there is not is named as the older route has it: %j', async (body, param) => {
  const { secret } = await stage.account();
  const refused = await stage.ask('/textapi/v1/realtime/sessions', {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  });
  expect(await refused.json()).toMatchObject({ error: { code: 'model_not_found', param } });
});
