/** Estimates for each frame how likely it contains speech, from 0 to 1. Stateful: one per audio stream. */
export interface VoiceActivity {
  /** Takes one frame of 512 mono samples at 16 kHz, from -1 to 1. */
  probability(frame: Float32Array): Promise<number> | number;
  close(): void;
}

/** Samples of one frame, at 16 kHz: 32 ms. */
export const VOICE_FRAME_SAMPLES = 512;

const SILENCE_DB = -70;
// Speech is at least this much louder than the background: the level of probability 0.5.
const SPEECH_ABOVE_DB = 14;
const SLOPE_DB = 3;
// How fast the background estimate rises; it falls at once.
const RISE_DB_A_FRAME = 0.05;

/** Tells speech from a quiet background by its energy: the fallback when no model runs. */
export function openEnergyActivity(): VoiceActivity {
  let backgroundDb = -50;
  return {
    probability(frame) {
      const levelDb = Math.max(SILENCE_DB, levelOf(frame));
      backgroundDb = levelDb < backgroundDb ? levelDb : backgroundDb + RISE_DB_A_FRAME;
      return 1 / (1 + Math.exp((SPEECH_ABOVE_DB - (levelDb - backgroundDb)) / SLOPE_DB));
    },
    close: () => {},
  };
}

function levelOf(frame: Float32Array): number {
  let sum = 0;
  for (const sample of frame) sum += sample * sample;
  return 10 * Math.log10(sum / frame.length + 1e-12);
}
