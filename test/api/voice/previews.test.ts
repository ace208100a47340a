import { afterAll, expect, test } from '@jest/globals';
import { balanceOf } from '../../support/account.ts';
import { read, setVoiceStage } from './voiceStage.ts';

const stage = await setVoiceStage();
afterAll(() => stage.close());

interface Listed {
  voices: { voice_id: string; category: string; preview_url: string | null; samples: { sample_id: string }[] | null }[];
}

test('a preset is heard at its preview_url without a key and for free, the same each time', async () => {
  const { voices } = await read<Listed>(stage.call('/voiceapi/v1/voices'));
  const presets = voices.filter(({ category }) => category === 'premade');
  expect(presets.length).toBeGreaterThan(5);
  expect(presets.every(({ preview_url: url }) => url !== null)).toBe(true);
  const { pathname } = new URL(presets[0]!.preview_url!);
  const hear = () => fetch(`${stage.api.url}${pathname}`);
  const response = await hear();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
  const sound = Buffer.from(await response.arrayBuffer());
  expect(sound.length).toBeGreaterThan(5_000);
  expect(Buffer.from(await (await hear()).arrayBuffer()).equals(sound)).toBe(true);
  expect(await balanceOf(stage.db, stage.mine.workspaceId)).toBe(stage.creditNanos);
  expect((await fetch(`${stage.api.url}/voiceapi/v1/voices/nobody/preview`)).status).toBe(404);
});

test('a sample of a cloned voice is heard by its workspace alone, as it was sent', async () => {
  const sample = await stage.sound('wav_16000', 'My own voice.');
  const added = stage.send('/voiceapi/v1/voices/add', { name: 'Mine', files: sample });
  const { voice_id: id } = await read<{ voice_id: string }>(added);
  const voice = await read<Listed['voices'][number]>(stage.call(`/voiceapi/v1/voices/${id}`));
  expect(voice.preview_url).toBeNull();
  const path = `/voiceapi/v1/voices/${id}/samples/${voice.samples![0]!.sample_id}/audio`;
  const heard = await stage.call(path);
  expect(heard.status).toBe(200);
  expect(Buffer.from(await heard.arrayBuffer()).equals(Buffer.from(sample))).toBe(true);
  expect((await stage.call(path, { key: stage.other.secret })).status).toBe(404);
  expect((await stage.call(`/voiceapi/v1/voices/${id}/samples/sample_none/audio`)).status).toBe(404);
});
