import { periodAt } from '../../providers/sound/pitch.ts';

export interface VoiceShift {
  /** Pitch factor. */
  pitch: number;
  /** Factor of the resonances: above 1 the speaker's mouth seems smaller. */
  formants: number;
}

const UNVOICED_PERIOD_MS = 8;

/**
 * The same words at the same pace in another voice: pitch-synchronous overlap-add. Around each pitch mark a piece of two periods is cut
 * out, scaled by `formants`, and placed at the new distance of marks. Unvoiced parts keep their distance.
 */
export function shiftVoice(samples: Int16Array, sampleRate: number, { pitch, formants }: VoiceShift): Int16Array {
  const sum = new Float32Array(samples.length);
  const weight = new Float32Array(samples.length);
  const unvoiced = Math.round((sampleRate * UNVOICED_PERIOD_MS) / 1000);
  let beat = 0;
  let isVoiced = false;
  let period = unvoiced;
  for (let place = 0; place < samples.length;) {
    // The grain is taken from the pitch mark nearest to its target.
    while (beat + period / 2 < place) {
      beat += period;
      const found = periodAt(samples, Math.round(beat), sampleRate);
      isVoiced = found > 0;
      period = found || unvoiced;
    }
    layGrain({
      samples,
      sum,
      weight,
      from: Math.round(beat),
      to: Math.round(place),
      period,
      formants: isVoiced ? formants : 1,
    });
    place += isVoiced ? period / pitch : period;
  }
  return Int16Array.from(sum, (value, at) => value / Math.max(weight[at]!, 0.25));
}

interface Grain {
  samples: Int16Array;
  sum: Float32Array;
  weight: Float32Array;
  from: number;
  to: number;
  period: number;
  formants: number;
}

function layGrain({ samples, sum, weight, from, to, period, formants }: Grain): void {
  const half = Math.floor(period / formants);
  for (let offset = -half; offset <= half; offset++) {
    const place = to + offset;
    if (place < 0 || place >= sum.length) continue;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * offset) / half);
    sum[place]! += window * sampleAt(samples, from + offset * formants);
    weight[place]! += window;
  }
}

function sampleAt(samples: Int16Array, position: number): number {
  const left = Math.floor(position);
  const a = samples[left] ?? 0;
  const b = samples[left + 1] ?? 0;
  return a + (b - a) * (position - left);
}
