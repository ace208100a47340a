import { z } from 'zod';

/** The answers of the voice family, without the members that only fill ElevenLabs' types. */

export const Done = z.object({ status: z.literal('ok') });

const alignment = z
  .object({
    characters: z.array(z.string()),
    character_start_times_seconds: z.array(z.number()),
    character_end_times_seconds: z.array(z.number()),
  })
  .nullable()
  .describe('Null when the engine reports no times.');

export const TimedSpeech = z.object({ audio_base64: z.string(), alignment, normalized_alignment: alignment });

export const HeardText = z.object({
  language_code: z.string(),
  language_probability: z
    .number()
    .describe('When the model reports no language probability: its confidence in the words.'),
  text: z.string(),
  words: z.array(
    z.object({
      text: z.string(),
      start: z.number(),
      end: z.number(),
      type: z.enum(['word', 'spacing', 'audio_event']),
      logprob: z.number(),
    }),
  ),
  transcription_id: z.string(),
  audio_duration_secs: z.number(),
});

export const Settings = z.looseObject({
  stability: z.number(),
  similarity_boost: z.number(),
  style: z.number(),
  use_speaker_boost: z.boolean(),
  speed: z.number(),
});

export const Voice = z.looseObject({
  voice_id: z.string(),
  name: z.string(),
  category: z.enum(['premade', 'cloned']),
  description: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
  samples: z
    .array(
      z.object({
        sample_id: z.string(),
        file_name: z.string(),
        mime_type: z.string(),
        size_bytes: z.int(),
        hash: z.string(),
      }),
    )
    .nullable(),
  preview_url: z.string().nullable().describe('Where a preset can be heard, free and without a key.'),
  settings: Settings,
  engines: z
    .array(z.object({ model_id: z.string(), engine: z.string(), ready: z.boolean() }))
    .optional()
    .describe(
      'For a voice that this machine speaks: which engine does, for each model, and whether it has been fetched.',
    ),
  is_owner: z.boolean(),
  created_at_unix: z.int().nullable().describe('Null for a premade voice.'),
});

export const VoiceList = z.object({ voices: z.array(Voice) });

export const VoicePage = VoiceList.extend({
  has_more: z.boolean(),
  total_count: z.int(),
  next_page_token: z.string().nullable(),
});

export const NewVoiceAnswer = z.object({ voice_id: z.string(), requires_verification: z.literal(false) });

export const Models = z.array(
  z.looseObject({
    model_id: z.string(),
    name: z.string(),
    can_do_text_to_speech: z.boolean(),
    can_do_voice_conversion: z.boolean(),
    languages: z.array(z.object({ language_id: z.string(), name: z.string() })),
  }),
);

export const Subscription = z.looseObject({
  tier: z.literal('prepaid'),
  status: z.literal('active'),
  character_count: z.int(),
  character_limit: z.int().describe('The characters that the balance buys.'),
});

export const User = z.looseObject({ user_id: z.string(), subscription: Subscription });

export const HistoryItem = z.looseObject({
  history_item_id: z.string(),
  request_id: z.string(),
  voice_id: z.string(),
  voice_name: z.string(),
  voice_category: z.enum(['premade', 'cloned']),
  model_id: z.string(),
  text: z.string(),
  date_unix: z.int(),
  character_count_change_from: z.int(),
  character_count_change_to: z.int(),
  content_type: z.string(),
  state: z.literal('created'),
  output_format: z.string().describe('As the request named it.'),
  source: z.enum(['TTS', 'STS']),
});

export const History = z.object({
  history: z.array(HistoryItem),
  has_more: z.boolean(),
  last_history_item_id: z.string().nullable(),
  scanned_until: z.null(),
});
