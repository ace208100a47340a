import { join } from 'node:path';
import type { Onnx } from '../onnx/onnx.ts';
import { PIPER_FRAMES, VOICE_FILE } from '../onnx/preparedModels.ts';
import type { VoiceModel } from './voiceModel.ts';

const SAMPLE_RATE = 22_050;
const SAMPLES_PER_FRAME = 256;
const [PAD, START, END] = [0, 1, 2];

/** The model's numbers of espeak's sounds. */
const IDS: Record<string, number> = Object.fromEntries(
  (
    '!4 ,8 .10 :11 ;12 ?13 a14 b15 d17 e18 f19 h20 i21 j22 k23 l24 m25 n26 o27 p28 s31 t32 u33 v34 w35 z38 æ39 ð41 ŋ44 ɐ50 ɑ51 ɒ52 ɔ54 ə59 ' +
    'ɚ60 ɛ61 ɜ62 ɡ66 ɪ74 ɹ88 ɾ92 ʃ96 ʊ100 ʌ102 ʒ108 ˈ120 ˌ121 ː122 θ126 ᵻ128'
  )
    .split(' ')
    .map((pair): [string, number] => [pair[0]!, Number(pair.slice(1))]),
);
const SPACE_ID = 3;

/** The dictionary's sounds that espeak writes differently. */
const WRITTEN: Record<string, string> = {
  A: 'eɪ',
  I: 'aɪ',
  O: 'oʊ',
  Q: 'əʊ',
  W: 'aʊ',
  Y: 'ɔɪ',
  T: 'ɾ',
  ʤ: 'dʒ',
  ʧ: 'tʃ',
  ᵊ: 'ə',
  ɑ: 'ɑː',
  ɔ: 'ɔː',
  u: 'uː',
  ɜ: 'ɜː',
  '—': ',',
  '…': '.',
};

/** Piper's voice joe, as fetched into a folder. It is deterministic: the same text sounds the same. */
export async function openPiper(onnx: Onnx, folder: string, threads: number): Promise<VoiceModel> {
  const session = await onnx.InferenceSession.create(join(folder, VOICE_FILE), {
    intraOpNumThreads: threads,
    logSeverityLevel: 3,
  });

  return {
    accentOf: () => 'us',
    async speak({ sounds }, { speed }) {
      const ids = [START, PAD];
      // The number of ids for each sound.
      const counts = sounds.map((sound, at) => {
        const written = writtenOf(sound, sounds[at - 1]);
        for (const character of written) ids.push(IDS[character] ?? SPACE_ID, PAD);
        return Array.from(written).length * 2;
      });
      ids.push(END);
      const result = await session.run({
        input: new onnx.Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
        input_lengths: new onnx.Tensor('int64', BigInt64Array.of(BigInt(ids.length)), [1]),
        scales: new onnx.Tensor('float32', Float32Array.of(0, 1 / speed, 0), [3]),
      });
      const frames = Array.from(result[PIPER_FRAMES]!.data as Float32Array, (count) => count * SAMPLES_PER_FRAME);
      let at = 2;
      const lengths = counts.map((count) => sum(frames.slice(at, (at += count))));
      const samples = result.output!.data as Float32Array;
      return { samples, sampleRate: SAMPLE_RATE, lead: frames[0]! + frames[1]!, lengths };
    },
  };
}

/** A stressed `i` is long. */
function writtenOf(sound: string, before: string | undefined): string {
  if (sound === 'i') return before === 'ˈ' || before === 'ˌ' ? 'iː' : 'i';
  return WRITTEN[sound] ?? sound;
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
