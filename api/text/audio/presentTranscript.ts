import { deflateSync } from 'node:zlib';
import { z } from 'zod';
import { languageNameOf } from '../../../providers/languageNames.ts';
import type { TokenLogprob, Transcript, TranscribedWord } from '../../../providers/speech.ts';
import type { ParsedTranscription } from './transcriptionForm.ts';

const DurationUsage = z.object({ type: z.literal('duration'), seconds: z.int() });

const TokenUsage = z.object({
  type: z.literal('tokens'),
  input_tokens: z.int().describe('Of 100 ms of sound each.'),
  input_token_details: z.object({ audio_tokens: z.int(), text_tokens: z.int() }),
  output_tokens: z.int().describe('Tokens of the text, in o200k_base.'),
  total_tokens: z.int(),
  seconds: z.int().describe('What is billed, rounded up.'),
});

const logprobs = z.array(z.object({ token: z.string(), logprob: z.number(), bytes: z.array(z.int()) }));

export const Transcription = z.object({
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
        compression_ratio: z.number().describe('From the model, else computed from the text.'),
        no_speech_prob: z.number().describe('From the model, else 1 minus its confidence in the words.'),
      }),
    )
    .optional(),
  words: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })).optional(),
});

export const TranscriptionEvent = z.union([
  z.object({ type: z.literal('transcript.text.delta'), delta: z.string(), logprobs: logprobs.optional() }),
  z.object({
    type: z.literal('transcript.text.done'),
    text: z.string(),
    logprobs: logprobs.optional(),
    usage: TokenUsage.describe('Of the whole answer: tokens as OpenAI’s clients require them, and the billed seconds.'),
  }),
]);

// The engine's confidence as OpenAI's log probability, bounded to a valid JSON number.
const logprobOf = (confidence: number) => Math.log(Math.max(confidence, 1e-9));

/** The engine's confidence in each word, in OpenAI's form for tokens. */
export const logprobsOf = (words: TranscribedWord[]): TokenLogprob[] =>
  words.map(({ text, confidence }) => ({ token: text, logprob: logprobOf(confidence), bytes: [...Buffer.from(text)] }));

interface TranscriptRequest {
  input: ParsedTranscription;
  durationMs: number;
  task: 'transcribe' | 'translate';
}

/** A transcription in the requested format: an object for the JSON formats, text for the others. */
export function presentTranscript(
  transcript: Transcript,
  { input, durationMs, task }: TranscriptRequest,
): z.infer<typeof Transcription> | string {
  const { text, segments } = transcript;
  const format = input.response_format ?? 'json';
  switch (format) {
    case 'json':
      return {
        text,
        ...(input['include[]'] && { logprobs: transcript.logprobs ?? logprobsOf(transcript.words) }),
        usage: usageOf(durationMs),
      };
    case 'verbose_json':
      return verbose(transcript, { input, durationMs, task });
    case 'text':
      return `${text}\n`;
    case 'srt':
      return segments.map((segment, at) => `${at + 1}\n${span(segment, ',')}\n${segment.text}\n\n`).join('');
    case 'vtt':
      return `WEBVTT\n\n${segments.map((segment) => `${span(segment, '.')}\n${segment.text}\n\n`).join('')}`;
    default:
      return format satisfies never;
  }
}

function verbose(
  { text, language, segments, words }: Transcript,
  { input, durationMs, task }: TranscriptRequest,
): z.infer<typeof Transcription> {
  const granularities = input['timestamp_granularities[]'] ?? ['segment'];
  return {
    task,
    language: languageNameOf(language),
    duration: secondsOf(durationMs),
    text,
    segments: segments.map((segment, id) => verboseSegment(segment, { id, temperature: input.temperature ?? 0 })),
    ...(granularities.includes('word') && {
      words: words.map(({ text: word, startMs, endMs }) => ({
        word,
        start: secondsOf(startMs),
        end: secondsOf(endMs),
      })),
    }),
    usage: usageOf(durationMs),
  };
}

/**
 * A segment with every member that OpenAI's schema requires: its Python client raises for a missing one. Values that the engine does not
 * report are computed from the text as Whisper does, or are bounds that follow from the confidence of the words.
 */
function verboseSegment(
  { text, startMs, endMs, confidence, decoding = {} }: Transcript['segments'][number],
  { id, temperature }: { id: number; temperature: number },
): NonNullable<z.infer<typeof Transcription>['segments']>[number] {
  return {
    id,
    seek: decoding.seek ?? 0,
    start: secondsOf(startMs),
    end: secondsOf(endMs),
    text,
    tokens: decoding.tokens ?? [],
    temperature: decoding.temperature ?? temperature,
    avg_logprob: decoding.avgLogprob ?? logprobOf(confidence),
    compression_ratio: decoding.compressionRatio ?? compressionRatioOf(text),
    no_speech_prob: decoding.noSpeechProb ?? 1 - confidence,
  };
}

/** Compression ratio of a text: high for repetitive text, a sign of a failed transcription. */
function compressionRatioOf(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length / deflateSync(bytes).length;
}

/** The billed usage of a transcription, in OpenAI's form. */
const usageOf = (durationMs: number): z.infer<typeof DurationUsage> => ({
  type: 'duration',
  seconds: Math.ceil(durationMs / 1000),
});

const AUDIO_TOKEN_MS = 100;

/** The usage of a streamed transcription: the official Python client refuses any other than tokens there. */
export function tokenUsageOf(durationMs: number, textTokens: number): z.infer<typeof TokenUsage> {
  const audio_tokens = Math.ceil(durationMs / AUDIO_TOKEN_MS);
  return {
    type: 'tokens',
    input_tokens: audio_tokens,
    input_token_details: { audio_tokens, text_tokens: 0 },
    output_tokens: textTokens,
    total_tokens: audio_tokens + textTokens,
    seconds: usageOf(durationMs).seconds,
  };
}

const secondsOf = (ms: number): number => Math.round(ms) / 1000;

const span = ({ startMs, endMs }: { startMs: number; endMs: number }, point: string) =>
  `${clock(startMs, point)} --> ${clock(endMs, point)}`;

function clock(timeMs: number, point: string): string {
  const ms = Math.round(timeMs);
  const parts = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60];
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')}${point}${String(ms % 1000).padStart(3, '0')}`;
}
