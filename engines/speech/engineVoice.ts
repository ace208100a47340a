import { ProviderError } from '../../providers/provider.ts';
import type { VoiceMeasure } from '../../providers/speech.ts';
import { findPresetVoice } from '../../providers/voices.ts';
import type { EmbeddedVoice } from '../../providers/voices.ts';

/** The measures of the synthesiser's own voices, by `measureVoice`. */
const ENGINE_MEASURES: Record<EmbeddedVoice['flite'], VoiceMeasure> = {
  kal16: { pitchHz: 88, brightnessHz: 580 },
  awb: { pitchHz: 125, brightnessHz: 387 },
  rms: { pitchHz: 103, brightnessHz: 318 },
  slt: { pitchHz: 170, brightnessHz: 313 },
};

/** The voices with adjustable pitch; `rms` keeps its own. */
const MOVABLE_VOICES = ['kal16', 'awb', 'slt'] as const;

/** How the engine produces a voice: a preset's settings, or for a measured voice the closest built-in voice, shifted towards it. */
export function engineVoiceOf(voice: string | VoiceMeasure): EmbeddedVoice {
  if (typeof voice !== 'string') return nearVoice(voice);
  const preset = findPresetVoice(voice);
  if (!preset) throw new ProviderError('refused', `there is no voice "${voice}"`, { status: 404 });
  return preset.embedded;
}

// Beyond these the voices no longer sound human.
const FORMANTS = { min: 0.85, max: 1.18 };
const PITCH = { min: 0.6, max: 1.7 };

/** The measures of a preset or a measured voice. Throws like `engineVoiceOf`. */
export function voiceMeasureOf(voice: string | VoiceMeasure): VoiceMeasure {
  if (typeof voice !== 'string') return voice;
  const { flite, pitch, formants } = engineVoiceOf(voice);
  const own = ENGINE_MEASURES[flite];
  return { pitchHz: own.pitchHz * pitch * formants, brightnessHz: own.brightnessHz * formants };
}

function nearVoice({ pitchHz, brightnessHz }: VoiceMeasure): EmbeddedVoice {
  const target = pitchHz || ENGINE_MEASURES.awb.pitchHz;
  const flite = MOVABLE_VOICES.reduce((nearest, candidate) =>
    distance(ENGINE_MEASURES[candidate].pitchHz, target) < distance(ENGINE_MEASURES[nearest].pitchHz, target)
      ? candidate
      : nearest,
  );
  const own = ENGINE_MEASURES[flite];
  // Brightness also depends on the recording, so it is matched by half.
  const formants = clamped(brightnessHz ? Math.sqrt(brightnessHz / own.brightnessHz) : 1, FORMANTS);
  return { flite, formants, pitch: clamped(target / own.pitchHz / formants, PITCH), rate: 1 };
}

const distance = (a: number, b: number) => Math.abs(Math.log(a / b));

export const clamped = (value: number, { min, max }: { min: number; max: number }) =>
  Math.min(max, Math.max(min, value));
