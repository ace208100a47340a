import { z } from 'zod';
import type { Json } from '../../../providers/provider.ts';
import * as parameter from './parameters.ts';
import { bodyValidator } from './validateBody.ts';

const SPEECH_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;

const TEXT_MAX = 4096;

/** Body of `POST /audio/speech`. */
export const SpeechInput = z.looseObject({
  model: parameter.model,
  input: z.string().min(1).max(TEXT_MAX).describe('The text to speak.'),
  voice: z
    .union([z.string().min(1).max(256), z.looseObject({ id: z.string().min(1).max(256) })])
    .describe('A preset voice by either vendor’s name or id, or a voice that was cloned.'),
  response_format: z
    .enum(SPEECH_FORMATS)
    .optional()
    .describe('`mp3` unless something else is said; `pcm` is 24 kHz, 16 bits, mono.'),
  speed: z.number().min(0.25).max(4).optional(),
  instructions: z
    .string()
    .max(TEXT_MAX)
    .optional()
    .describe('How to speak. The embedded voices have one way only, and refuse it.'),
  stream_format: z.enum(['audio', 'sse']).optional(),
});

export type ParsedSpeech = Json & z.input<typeof SpeechInput>;

/** Checks the body of `POST /audio/speech`; throws `InvalidRequest`. */
export const parseSpeech: (body: unknown) => ParsedSpeech = bodyValidator(SpeechInput, []);
