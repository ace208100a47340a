import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Onnx } from '../onnx/onnx.ts';
import { KOKORO_FRAMES, VOICE_FILE } from '../onnx/preparedModels.ts';
import type { VoiceModel } from './voiceModel.ts';

const SAMPLE_RATE = 24_000;
const SAMPLES_PER_FRAME = 600;
const STYLE_FLOATS = 256;
const STYLES = 510;

/** The model's number for each sound and punctuation mark. */
const IDS: Record<string, number> = Object.fromEntries(
  (
    ';1 :2 ,3 .4 !5 ?6 —9 …10 A24 I25 O31 Q33 T36 W39 Y41 ᵊ42 a43 b44 d46 f48 h50 i51 j52 k53 l54 m55 n56 p58 s61 t62 u63 v64 w65 ' +
    'z68 ɑ69 ɐ70 ɒ71 æ72 ɔ76 ð81 ʤ82 ə83 ɛ86 ɜ87 ɡ92 ɪ102 ŋ112 θ119 ɹ123 ʃ131 ʧ133 ʊ135 ʌ138 ʒ147 ˈ156 ˌ157 ː158 ᵻ177'
  )
    .split(' ')
    .map((pair): [string, number] => [pair[0]!, Number(pair.slice(1))]),
);
const SPACE_ID = 16;

/** Kokoro, as fetched into a folder. */
export async function openKokoro(onnx: Onnx, folder: string, threads: number): Promise<VoiceModel> {
  const session = await onnx.InferenceSession.create(join(folder, VOICE_FILE), {
    intraOpNumThreads: threads,
    logSeverityLevel: 3,
    // The weights are converted to floats once, when the model is loaded.
    extra: { session: { disable_quant_qdq: '1' } },
  });
  const styles = new Map<string, Float32Array>();

  function styleOf(voice: string, sounds: number): Float32Array {
    const known = styles.get(voice) ?? floatsOf(join(folder, 'node_modules/kokoro-js/voices', `${voice}.bin`));
    styles.set(voice, known);
    const row = Math.min(Math.max(sounds, 1), STYLES) - 1;
    return known.slice(row * STYLE_FLOATS, (row + 1) * STYLE_FLOATS);
  }

  return {
    accentOf: (voice) => (voice.startsWith('b') ? 'gb' : 'us'),
    async speak({ sounds }, { voice, speed }) {
      const ids = [0, ...sounds.map((sound) => IDS[sound] ?? SPACE_ID), 0];
      const result = await session.run({
        tokens: new onnx.Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
        style: new onnx.Tensor('float32', styleOf(voice, sounds.length), [1, STYLE_FLOATS]),
        speed: new onnx.Tensor('float32', Float32Array.of(speed), [1]),
      });
      const frames = Array.from(
        result[KOKORO_FRAMES]!.data as BigInt64Array,
        (count) => Number(count) * SAMPLES_PER_FRAME,
      );
      const samples = result.audio!.data as Float32Array;
      return { samples, sampleRate: SAMPLE_RATE, lead: frames[0]!, lengths: frames.slice(1, -1) };
    },
  };
}

function floatsOf(path: string): Float32Array {
  const bytes = readFileSync(path);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
