import { ProviderError } from '../../provider.ts';
import type { VoiceMeasure } from '../../speech.ts';
import { findPresetVoice } from '../../voices.ts';
import type { EmbeddedVoice } from '../../voices.ts';

/** What the synthesiser's own voices measure, by `measureVoice`. */
export const engineMeasures: Record<'awb' | 'slt' | 'kal16', VoiceMeasure> = {
  kal16: { pitchHz: 88, brightnessHz: 900 },
  awb: { pitchHz: 130, brightnessHz: 900 },
  slt: { pitchHz: 174, brightnessHz: 900 },
};

/** How the engine makes a voice: a preset's way, or for a measured voice the nearest of its own, moved towards it. */
export function engineVoiceOf(voice: string | VoiceMeasure): EmbeddedVoice {
  if (typeof voice !== 'string') return nearVoice(voice);
  const preset = findPresetVoice(voice);
  if (!preset) throw new ProviderError('refused', `there is no voice "${voice}"`, { status: 404 });
  return preset.embedded;
}

// Beyond these the voices no longer sound like people.
const FORMANTS = { min: 0.85, max: 1.18 };
const PITCH = { min: 0.6, max: 1.7 };

function nearVoice({ pitchHz, brightnessHz }: VoiceMeasure): EmbeddedVoice {
  const target = pitchHz || engineMeasures.awb.pitchHz;
  const [flite, own] = Object.entries(engineMeasures).reduce((nearest, candidate) =>
    distance(candidate[1].pitchHz, target) < distance(nearest[1].pitchHz, target) ? candidate : nearest,
  ) as ['awb' | 'slt' | 'kal16', VoiceMeasure];
  const formants = clamped(brightnessHz ? brightnessHz / own.brightnessHz : 1, FORMANTS);
  return { flite, formants, pitch: clamped(target / own.pitchHz / formants, PITCH), rate: 1 };
}

const distance = (a: number, b: number) => Math.abs(Math.log(a / b));

const clamped = (value: number, { min, max }: { min: number; max: number }) => Math.min(max, Math.max(min, value));
