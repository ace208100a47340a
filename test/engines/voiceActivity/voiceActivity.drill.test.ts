import { describe, expect, test } from '@jest/globals';
import { onnxRuntime, silero } from '../../../engines/fetching/engineList.ts';
import { fetchEngine } from '../../../engines/fetching/fetchEngine.ts';
import { openVoiceActivity } from '../../../engines/voiceActivity/voiceActivity.ts';
import { VOICE_FRAME_SAMPLES, type VoiceActivity } from '../../../providers/sound/energyActivity.ts';
import { noise } from '../../calls/audio/sounds.ts';
import { sentences, speechOf } from '../transcription/spokenStage.ts';

for (const engine of [onnxRuntime, silero]) await fetchEngine(engine, { dataDir: '.data', onProgress: () => {} });
const pieces: number[] = [];
for await (const samples of speechOf('alloy', sentences.slice(0, 1))) pieces.push(...samples);
const spoken = Int16Array.from(pieces);

const open = () => openVoiceActivity({ dataDir: '.data', isNeural: true });

async function probabilitiesOf(activity: VoiceActivity, samples: Int16Array): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at + VOICE_FRAME_SAMPLES <= samples.length; at += VOICE_FRAME_SAMPLES) {
    const frame = Float32Array.from(samples.subarray(at, at + VOICE_FRAME_SAMPLES), (sample) => sample / 32_768);
    found.push(await activity.probability(frame));
  }
  return found;
}

const shareOfSpeech = (probabilities: number[]) =>
  probabilities.filter((probability) => probability > 0.5).length / probabilities.length;

describe('the model', () => {
  test('hears speech, also in noise, and takes neither noise nor silence for speech', async () => {
    const loud = noise({ seconds: spoken.length / 16_000 });
    const level = Math.sqrt(spoken.reduce((sum, sample) => sum + sample ** 2, 0) / spoken.length);
    const noisy = spoken.map((sample, at) => sample + (loud[at] ?? 0) * (level / 20_000));
    expect(shareOfSpeech(await probabilitiesOf(await open(), spoken))).toBeGreaterThan(0.7);
    expect(shareOfSpeech(await probabilitiesOf(await open(), noisy))).toBeGreaterThan(0.6);
    for (const samples of [loud, new Int16Array(48_000)]) {
      expect(shareOfSpeech(await probabilitiesOf(await open(), samples))).toBeLessThan(0.1);
    }
  });

  test('keeps a state for each stream: what two hear in turns is what each hears alone', async () => {
    const silence = new Int16Array(spoken.length);
    const alone = await probabilitiesOf(await open(), spoken);
    const [one, other] = [await open(), await open()];
    const [inTurns, quiet] = await Promise.all([probabilitiesOf(one, spoken), probabilitiesOf(other, silence)]);
    expect(inTurns).toEqual(alone);
    expect(shareOfSpeech(quiet)).toBe(0);
    one.close();
    other.close();
  });

  test('leaves the caller its frame', async () => {
    const activity = await open();
    const frame = Float32Array.from({ length: VOICE_FRAME_SAMPLES }, () => 0.1);
    await activity.probability(frame);
    expect(frame).toHaveLength(VOICE_FRAME_SAMPLES);
    activity.close();
  });
});
