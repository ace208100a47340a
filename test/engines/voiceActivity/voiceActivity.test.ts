import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { engineFolder } from '../../../engines/fetching/engine.ts';
import { onnxRuntime, silero } from '../../../engines/fetching/engineList.ts';
import { openVoiceActivity } from '../../../engines/voiceActivity/voiceActivity.ts';
import { VOICE_FRAME_SAMPLES, type VoiceActivity } from '../../../providers/sound/energyActivity.ts';
import { makeFolder } from '../../support/folder.ts';

const frameOf = (level: number) => Float32Array.from({ length: VOICE_FRAME_SAMPLES }, (_, at) => level * (-1) ** at);

async function hearing(activity: VoiceActivity, levels: number[]): Promise<boolean[]> {
  const heard: boolean[] = [];
  for (const level of levels) heard.push((await activity.probability(frameOf(level))) > 0.5);
  return heard;
}

test('without the model, what is much louder than the background counts as speech', async () => {
  const activity = await openVoiceActivity({ dataDir: '/nowhere', isNeural: true });
  expect(await hearing(activity, [0, 0.001, 0.001, 0.2, 0.2, 0.001])).toEqual([false, false, false, true, true, false]);
  activity.close();
});

test('a model that does not run is replaced by the energy of the sound', async () => {
  const folder = await makeFolder();
  try {
    for (const engine of [onnxRuntime, silero]) {
      await mkdir(join(engineFolder(folder.path, engine)), { recursive: true });
    }
    const activity = await openVoiceActivity({ dataDir: folder.path, isNeural: true });
    expect(await hearing(activity, [0.001, 0.2, 0.001])).toEqual([false, true, false]);
    activity.close();
  } finally {
    await folder.remove();
  }
});
