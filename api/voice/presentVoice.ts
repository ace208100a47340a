import { unixSecondsOf } from '../../base/isoTime.ts';
import type { VoiceRow } from '../../db/voices/voices.ts';
import type { VoiceSample } from '../../db/entities/voice.ts';
import { presetNameOf, type PresetVoice } from '../../providers/voices.ts';
import { invalidRequest, notFound } from '../../base/errors/requestErrors.ts';
import type { Services } from '../services.ts';
import type { Settings, Voice } from './voiceAnswers.ts';
import type { z } from 'zod';

// Members of the vendor's voices without a meaning here. Some are required by its clients' types.
const UNUSED = {
  available_for_tiers: [],
  sharing: null,
  high_quality_base_model_ids: [],
  verified_languages: [],
  collection_ids: [],
  safety_control: null,
  voice_verification: null,
  permission_on_resource: null,
  favorited_at_unix: null,
  is_legacy: false,
  is_mixed: false,
};

const NOT_TUNED = {
  is_allowed_to_fine_tune: false,
  state: {},
  verification_failures: [],
  verification_attempts_count: 0,
  manual_verification_requested: false,
};

export type ShownVoice = z.infer<typeof Voice>;

/** A preset as ElevenLabs shows a premade voice, under the requested id. */
export function presentPreset(
  preset: PresetVoice,
  { catalog, config, voiceProviders }: Pick<Services, 'catalog' | 'config' | 'voiceProviders'>,
  askedId = preset.id,
): ShownVoice {
  return {
    voice_id: askedId,
    name: presetNameOf(preset, askedId),
    category: 'premade',
    description: preset.description,
    labels: {
      gender: preset.gender,
      accent: preset.accent,
      age: preset.age,
      language: 'en',
      use_case: preset.useCase,
    },
    samples: null,
    preview_url: voiceProviders.previewOf(preset)
      ? `${config.publicUrl}/voiceapi/v1/voices/${preset.id}/preview`
      : null,
    engines: catalog.models
      .filter(({ kind, voices }) => kind === 'speech' && voices !== 'cloned')
      .flatMap((model) => {
        const now = voiceProviders.embeddedEngineOf(model, preset);
        return now ? [{ model_id: model.id, engine: now.engine, ready: now.isReady }] : [];
      }),
    settings: DEFAULT_SETTINGS,
    fine_tuning: NOT_TUNED,
    is_owner: false,
    created_at_unix: null,
    ...UNUSED,
  };
}

/** A cloned voice in ElevenLabs' form. */
export function presentVoice(row: VoiceRow): ShownVoice {
  return {
    voice_id: row.id,
    name: row.name,
    category: 'cloned',
    description: row.description,
    labels: row.labels,
    samples: row.samples.map(presentSample),
    preview_url: null,
    settings: { ...DEFAULT_SETTINGS, ...row.settings },
    fine_tuning: NOT_TUNED,
    is_owner: true,
    created_at_unix: unixSecondsOf(row.createdAt),
    ...UNUSED,
  };
}

const presentSample = ({ sample_id, file_name, mime_type, size_bytes, hash }: VoiceSample) => ({
  sample_id,
  file_name,
  mime_type,
  size_bytes,
  hash,
});

/** The default settings of a voice, under the vendor's names. */
export const DEFAULT_SETTINGS: z.infer<typeof Settings> = {
  stability: 0.5,
  similarity_boost: 0.75,
  style: 0,
  use_speaker_boost: true,
  speed: 1,
};

export const voiceNotFound = (id: string) =>
  notFound(`A voice with the voice_id ${id.slice(0, 256)} was not found.`, 'voice_not_found');

/** ElevenLabs' error: clients read its code from `detail.status`. */
export const voiceLimitReached = (voicesMax: number) =>
  invalidRequest(
    'voice_limit_reached',
    `You have reached your maximum amount of custom voices (${voicesMax} / ${voicesMax}). Remove one to add another.`,
  );
