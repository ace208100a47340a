import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallSignal } from '../../providers/provider.ts';
import type { ConversionInput, ConversionProvider, SpeechChunk, VoiceMeasure } from '../../providers/speech.ts';
import { clamped, voiceMeasureOf } from './engineVoice.ts';
import { measureVoice } from '../../providers/sound/measureVoice.ts';
import { shiftVoice } from './shiftVoice.ts';
import type { VoiceShift } from './shiftVoice.ts';

const SAMPLE_RATE = 16_000;
// The first piece is long enough to measure the speaker.
const PIECE_SAMPLES = 3 * SAMPLE_RATE;
// Neighbouring pieces overlap by this and are cross-faded.
const OVERLAP_SAMPLES = 800;
const SHIFTS = { pitch: { min: 0.5, max: 2 }, formants: { min: 0.8, max: 1.25 } };

/**
 * Voice conversion by signal processing: the given speech keeps its words, pace, melody and accent; its pitch and resonances are moved
 * so that their measure becomes the target's. It sounds like another speaker, not like that speaker. Speech without a
 * voice (a whisper, noise) comes back as it was.
 */
export function createEmbeddedConversion(): ConversionProvider {
  async function* convert({ audio, voice }: ConversionInput, signal: CallSignal): AsyncGenerator<SpeechChunk> {
    const target = voiceMeasureOf(voice);
    let shift: VoiceShift | undefined;
    let tail: Int16Array = new Int16Array(0);
    for await (const { samples, isLast } of overlapping(audio)) {
      if (signal.aborted) throw signal.reason;
      shift ??= shiftTowards(target, measureVoice({ samples, sampleRate: SAMPLE_RATE }));
      const shifted = shift ? shiftVoice(samples, SAMPLE_RATE, shift) : samples;
      const faded = fadedIn(shifted, tail);
      const end = isLast ? faded.length : faded.length - OVERLAP_SAMPLES;
      tail = faded.slice(end);
      yield { pcm: faded.subarray(0, end), sampleRate: SAMPLE_RATE, characters: 0 };
      // The computation runs in this thread; other work runs between the pieces.
      await nextTurn();
    }
  }

  return { convert };
}

/** Pieces that begin with the end of the previous one. */
async function* overlapping(
  audio: AsyncIterable<Int16Array>,
): AsyncGenerator<{ samples: Int16Array; isLast: boolean }> {
  let held: Int16Array = new Int16Array(0);
  for await (const samples of audio) {
    held = joined(held, samples);
    while (held.length > PIECE_SAMPLES + OVERLAP_SAMPLES) {
      yield { samples: held.slice(0, PIECE_SAMPLES), isLast: false };
      held = held.slice(PIECE_SAMPLES - OVERLAP_SAMPLES);
    }
  }
  if (held.length > 0) yield { samples: held, isLast: true };
}

function joined(a: Int16Array, b: Int16Array): Int16Array {
  const both = new Int16Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

function fadedIn(samples: Int16Array, tail: Int16Array): Int16Array {
  const faded = samples.slice();
  for (const [at, before] of tail.entries()) {
    const share = at / tail.length;
    faded[at] = Math.round(before * (1 - share) + (samples[at] ?? 0) * share);
  }
  return faded;
}

function shiftTowards(target: VoiceMeasure, source: VoiceMeasure): VoiceShift | undefined {
  if (source.pitchHz === 0 || target.pitchHz === 0) return undefined;
  return {
    pitch: clamped(target.pitchHz / source.pitchHz, SHIFTS.pitch),
    // Brightness also depends on the words, so it is changed by half.
    formants: clamped(Math.sqrt(target.brightnessHz / source.brightnessHz), SHIFTS.formants),
  };
}
