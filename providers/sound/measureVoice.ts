import type { Pcm, VoiceMeasure } from '../speech.ts';
import { periodAt } from './pitch.ts';

const STEP_MS = 20;
// Half a minute of a voice is enough.
const FRAMES_MAX = 1_500;

/**
 * Measures a voice by its sample: the median pitch of the voiced parts, and their brightness. Brightness is the ratio of the signal's slope
 * to the signal, which is the root mean square of its frequencies: no spectrum is needed. A sample without a voice measures 0 and 0.
 */
export function measureVoice({ samples, sampleRate }: Pcm): VoiceMeasure {
  const step = Math.round((sampleRate * STEP_MS) / 1000);
  const pitches: number[] = [];
  const brightnesses: number[] = [];
  for (let at = step; at < samples.length - step && pitches.length < FRAMES_MAX; at += step) {
    const period = periodAt(samples, at, sampleRate);
    if (period === 0) continue;
    pitches.push(sampleRate / period);
    brightnesses.push(brightnessAt(samples, at, step, sampleRate));
  }
  return { pitchHz: median(pitches), brightnessHz: median(brightnesses) };
}

function brightnessAt(samples: Int16Array, at: number, length: number, sampleRate: number): number {
  let slope = 0;
  let level = 1;
  for (let i = at; i < at + length; i++) {
    slope += (samples[i]! - samples[i - 1]!) ** 2;
    level += samples[i]! ** 2;
  }
  const radians = 2 * Math.asin(Math.min(1, Math.sqrt(slope / level) / 2));
  return (radians * sampleRate) / (2 * Math.PI);
}

function median(values: number[]): number {
  if (values.length === 0) return 0;
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
