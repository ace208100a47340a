import { z } from 'zod';
import * as headers from '../../docs/headers.ts';
import type { RouteDoc } from '../../docs/documentedRoute.ts';
import { SOUND_SECONDS_MAX } from '../../sound/decodedSound.ts';
import { SOUND_BYTES_MAX } from '../../sound/soundForm.ts';
import { SpeechInput } from './speech.ts';
import { TranscriptionForm, TranslationForm } from './transcriptionForm.ts';

const TEXTS = ['text/plain', 'text/vtt'];

const DurationUsage = z.object({ type: z.literal('duration'), seconds: z.int() });
const logprobs = z.array(z.object({ token: z.string(), logprob: z.number(), bytes: z.array(z.int()) }));

const Transcription = z.object({
  text: z.string(),
  usage: DurationUsage,
  logprobs: logprobs.optional().describe('With `include[]: logprobs`.'),
  task: z.enum(['transcribe', 'translate']).optional(),
  language: z.string().optional().describe('With `verbose_json`, as are the members that follow.'),
  duration: z.number().optional(),
  segments: z
    .array(
      z.object({
        id: z.int(),
        seek: z.int(),
        start: z.number(),
        end: z.number(),
        text: z.string(),
        tokens: z.array(z.int()),
        temperature: z.number(),
        avg_logprob: z.number(),
        compression_ratio: z.number().describe('As the model says, else computed from the text.'),
        no_speech_prob: z
          .number()
          .describe('As the model says; where it does not, the most that its confidence in the words leaves.'),
      }),
    )
    .optional(),
  words: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })).optional(),
});

const SpeechEvent = z.union([
  z.object({ type: z.literal('speech.audio.delta'), audio: z.string().describe('Sound, in base64.') }),
  z.object({
    type: z.literal('speech.audio.done'),
    usage: z
      .object({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() })
      .describe('Characters, which are what is billed, where OpenAI counts tokens.'),
  }),
]);

const TranscriptionEvent = z.union([
  z.object({ type: z.literal('transcript.text.delta'), delta: z.string(), logprobs: logprobs.optional() }),
  z.object({
    type: z.literal('transcript.text.done'),
    text: z.string(),
    logprobs: logprobs.optional(),
  }),
]);

/** Documentation of the audio routes of the text family. */
export function audioDocs() {
  return {
    speech: {
      tag: 'Audio',
      summary: 'Speak a text',
      description:
        'Sound as it is made; with `stream_format: "sse"` in events `speech.audio.delta` and `speech.audio.done`. Billed by the characters ' +
        'of the text. A text that the money left does not pay for is refused with 402; with `x-allow-partial: true` its beginning is spoken, ' +
        '`x-truncated` marks that, and `character-cost` tells how many characters.',
      input: {
        id: 'SpeechRequest',
        schema: SpeechInput,
        example: { model: 'tts-1', voice: 'alloy', input: 'The quick brown fox jumped over the lazy dog.' },
      },
      headers: headers.PARTIAL,
      answerHeaders: headers.SOUND,
      stream: {
        when: 'The sound; with `stream_format: "sse"`, server-sent events.',
        event: { id: 'SpeechEvent', schema: SpeechEvent },
      },
      isPaid: true,
    },
    transcriptions: {
      tag: 'Audio',
      summary: 'Transcribe sound',
      description:
        `Up to ${SOUND_BYTES_MAX / 1e6} MB and ${SOUND_SECONDS_MAX / 3600} hours, of any common type; the file goes by its content. Billed by the minutes that are really in it, to the ` +
        'millisecond. The formats `text`, `srt` and `vtt` answer with text. A form without a file, or that is not whole, is 422.',
      form: {
        id: 'TranscriptionForm',
        schema: TranscriptionForm,
        example: { model: 'whisper-1', file: '@speech.mp3' },
      },
      answer: { id: 'Transcription', schema: Transcription },
      alsoAs: TEXTS,
      headers: headers.PARTIAL,
      answerHeaders: headers.TRANSCRIBED,
      stream: {
        when: 'The transcription; with `stream: true`, server-sent events.',
        event: { id: 'TranscriptionEvent', schema: TranscriptionEvent },
      },
      isPaid: true,
    },
    translations: {
      tag: 'Audio',
      summary: 'Transcribe sound in English',
      description: 'As a transcription, with what was said in another language put into English where the model can.',
      form: { id: 'TranslationForm', schema: TranslationForm, example: { model: 'whisper-1', file: '@speech.mp3' } },
      answer: { id: 'Transcription', schema: Transcription },
      alsoAs: TEXTS,
      headers: headers.PARTIAL,
      answerHeaders: headers.TRANSCRIBED,
      isPaid: true,
    },
  } satisfies Record<string, RouteDoc>;
}
