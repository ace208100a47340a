import { z } from 'zod';
import type { Context } from '../context.ts';
import { queryFlag } from '../body/queryFlag.ts';
import { parseQuery } from '../body/parseWith.ts';

const isAsked = queryFlag.prefault('false');
const onlyNo = z.enum(['false']).optional();
const RATES = [8_000, 16_000, 22_050, 24_000, 44_100, 48_000] as const;

/** The query of the socket that transcribes. */
export const LiveTranscriptionQuery = z.strictObject({
  model_id: z.string().min(1).max(256),
  audio_format: z
    .enum(['ulaw_8000', ...RATES.map((rate) => `pcm_${rate}` as const)])
    .default('pcm_16000')
    .describe('16-bit samples, or mu-law of telephones.'),
  language_code: z.string().min(2).max(16).optional(),
  commit_strategy: z.enum(['manual', 'vad']).default('manual').describe('Who ends a turn: the client, or its silence.'),
  vad_silence_threshold_secs: z.coerce.number().min(0.3).max(3).default(1.5).describe('Silence that ends a turn.'),
  vad_threshold: z.coerce.number().min(0.1).max(0.9).default(0.4).describe('A higher one needs louder speech.'),
  min_speech_duration_ms: z.coerce
    .number()
    .int()
    .min(50)
    .max(2_000)
    .default(100)
    .describe('Shorter turns are dropped.'),
  min_silence_duration_ms: z.coerce
    .number()
    .int()
    .min(50)
    .max(2_000)
    .default(100)
    .describe('Changes nothing: `vad_silence_threshold_secs` ends a turn.'),
  include_timestamps: isAsked.describe('`true` sends each transcript again, with the times of its words.'),
  include_language_detection: isAsked.describe('`true` sends each transcript again, with its language.'),
  enable_logging: queryFlag.prefault('true').describe('Sound and words are never kept.'),
  no_verbatim: onlyNo,
  filter_background_audio: onlyNo,
});

export type LiveTranscriptionQuery = z.output<typeof LiveTranscriptionQuery>;

/** Checks the query of a socket. Throws 422 that names the parameter. */
export const parseLiveTranscriptionQuery: (query: Context['query']) => LiveTranscriptionQuery =
  parseQuery(LiveTranscriptionQuery);
