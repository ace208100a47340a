import type { FormData } from 'undici';
import { fieldsOf, inDialect } from './supportedParameters.ts';
import { languageCodeOf } from './languageNames.ts';
import type {
  SegmentDecoding,
  SoundParameters,
  SpeechChunk,
  SpeechInput,
  SpeechProvider,
  TokenLogprob,
  TranscribedSegment,
  TranscribedWord,
  TranscriptionEvent,
  TranscriptionOptions,
  TranscriptionProvider,
} from './speech.ts';
import { isObject } from '../base/json.ts';
import { ProviderError } from './provider.ts';
import type { CallSignal, Json } from './provider.ts';
import { createAudioCalls, jsonOf } from './voiceUpstream/audioCalls.ts';
import { createForm } from './undici.ts';
import type { UpstreamOptions } from './upstreamOptions.ts';
import { createSoundMeter, isFramed } from './voiceUpstream/encodedSound.ts';
import { createFormatChoice, names } from './voiceUpstream/formatChoice.ts';
import { spacedIn } from './textGaps.ts';
import { samplesFrom, wavFileOf } from './voiceUpstream/pcm.ts';

const SAMPLE_RATE = 24_000;
// Average speed of speech. The upstream does not report which part of the text its audio covers.
const CHARACTERS_PER_SECOND = 15;
const NO_SAMPLES = { pcm: new Int16Array(0), sampleRate: SAMPLE_RATE };
// A first read that is long enough for a header but lacks it is in another format.
const FIRST_FRAME_BYTES = 64;

/**
 * Seeds and voice settings are accepted on every voice route, so they are passed on. Newer models report no timestamps; only newer models
 * report logprobs; a translation has no word timestamps.
 */
export const openAiAudioParameters: SoundParameters = {
  speech: {
    text: true,
    speed: true,
    seed: true,
    settings: true,
    instructions: true,
    textNormalization: (asked) => asked === 'auto',
    latency: (level) => level < 4,
    others: inDialect('openai'),
  },
  transcription: (model, { translate }) => ({
    language: true,
    prompt: true,
    temperature: true,
    seed: true,
    translate: true,
    audioEvents: (asked) => !asked,
    times: (asked) => !isPlain(model) && !(translate && asked === 'words'),
    logprobs: isPlain(model) || undefined,
    chunking: true,
    isLive: true,
    others: inDialect('openai'),
  }),
};

// Newer models support only the plain format.
const isPlain = (model: string) => model.startsWith('gpt-');

/** The audio routes of an OpenAI-compatible upstream. `close` closes all connections, those in use included. */
export function createOpenAiAudio(
  options: UpstreamOptions,
): SpeechProvider & TranscriptionProvider & { close: () => Promise<void> } {
  const calls = createAudioCalls(
    options,
    options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` },
  );

  const inFormat = createFormatChoice({
    plain: 'pcm',
    mayBeOfFormat: (error) => error === otherFormat || names(error, 'response_format'),
  });

  /**
   * The chunks' `characters` are estimated while the audio runs, and exact in sum. There are no marks. A measured voice is refused. MP3,
   * AAC and Opus are requested in the caller's format. WAV and FLAC are encoded here without loss, because their streams do not show
   * their progress. ElevenLabs' formats name a rate and a bitrate, which this upstream does not offer: they are encoded here too.
   */
  function speak(input: SpeechInput, signal: CallSignal): AsyncIterable<SpeechChunk> {
    const wanted = isFramed(input.codec) ? input.codec : undefined;
    return inFormat(wanted, (format) =>
      counted(input.text, soundOf(format, calls.stream('audio/speech', speechBody(input, format), signal))),
    );
  }

  async function* transcribe(
    audio: AsyncIterable<Int16Array>,
    options: TranscriptionOptions,
    signal: CallSignal,
  ): AsyncGenerator<TranscriptionEvent> {
    const { file, seconds } = await wavFileOf(audio);
    const path = options.translate ? 'audio/translations' : 'audio/transcriptions';
    const answer = await jsonOf(calls.post(path, transcriptionForm(file, options), signal));
    const segments = segmentsOf(answer, seconds);
    const words = wordsOf(answer, segments);
    for (const segment of segments) {
      yield { type: 'segment', segment, words: words.filter((word) => isWithin(word, segment)) };
    }
    const language = languageOf(answer.language, options);
    const transcript = { text: textOf(answer), language, segments, words, durationSeconds: seconds };
    yield { type: 'done', transcript: { ...transcript, ...(options.logprobs && { logprobs: logprobsOf(answer) }) } };
  }

  return { speak, transcribe, close: calls.close };
}

type Sound = Omit<SpeechChunk, 'characters'> & { soundMs: number };

const otherFormat = new ProviderError('failed', 'the upstream sent sound in another format than it was asked for');

/** Audio as received or as samples, and its duration so far in milliseconds. */
async function* soundOf(format: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Sound> {
  if (isFramed(format)) {
    const meter = createSoundMeter(format);
    for await (const encoded of bytes) {
      meter.push(encoded);
      if (!meter.hasFrames() && encoded.length >= FIRST_FRAME_BYTES) throw otherFormat;
      yield { ...NO_SAMPLES, encoded, soundMs: meter.soundMs() };
    }
    return;
  }
  let samples = 0;
  for await (const pcm of samplesFrom(bytes)) {
    samples += pcm.length;
    yield { pcm, sampleRate: SAMPLE_RATE, soundMs: (samples * 1000) / SAMPLE_RATE };
  }
}

/** The part of the text that the audio covers, at average speed; at its end, all of it. Throws `ProviderError` (failed) without audio. */
async function* counted(text: string, sounds: AsyncIterable<Sound>): AsyncGenerator<SpeechChunk> {
  const total = Array.from(text).length;
  let done = 0;
  let last: SpeechChunk | undefined;
  for await (const { soundMs, ...sound } of sounds) {
    const characters = Math.min(total, Math.round((soundMs * CHARACTERS_PER_SECOND) / 1000)) - done;
    done += characters;
    yield (last = { ...sound, characters });
  }
  if (!last) throw new ProviderError('failed', 'the upstream sent no sound');
  const end = last.encoded ? { ...NO_SAMPLES, encoded: Buffer.alloc(0) } : NO_SAMPLES;
  yield { ...end, characters: total - done };
}

function speechBody(
  { text, voice, model, speed, instructions, seed, settings, others }: SpeechInput,
  format: string,
): Json {
  if (typeof voice !== 'string') {
    throw new ProviderError('refused', 'the upstream has no cloned voices', {
      status: 400,
      detail: { message: 'This model cannot speak with a cloned voice.', param: 'voice' },
    });
  }
  const said = { model, input: text, voice, response_format: format, speed, instructions };
  return { ...others?.members, ...said, seed, voice_settings: settings };
}

function transcriptionForm(
  file: Blob,
  { model = 'whisper-1', translate, logprobs, others, ...options }: TranscriptionOptions,
): FormData {
  const form = createForm();
  form.set('file', file, 'audio.wav');
  form.set('model', model);
  form.set('response_format', isPlain(model) ? 'json' : 'verbose_json');
  if (!isPlain(model) && !translate) {
    form.append('timestamp_granularities[]', 'word');
    form.append('timestamp_granularities[]', 'segment');
  }
  if (logprobs) form.append('include[]', 'logprobs');
  const { language, prompt, temperature, seed, chunking } = options;
  const said = { language, prompt, temperature, seed, chunking_strategy: chunking };
  for (const [name, value] of Object.entries({ ...others?.members, ...said }))
    for (const one of fieldsOf(value)) form.append(name, one);
  return form;
}

function textOf({ text }: Json): string {
  if (typeof text !== 'string') throw new ProviderError('failed', 'the upstream sent a transcription without a text');
  return text.trim();
}

function logprobsOf({ logprobs }: Json): TokenLogprob[] {
  if (!Array.isArray(logprobs)) return [];
  return (logprobs as (Json | null)[]).map((entry) => {
    const token = String(entry?.token);
    return { token, logprob: Number(entry?.logprob), bytes: [...Buffer.from(token)] };
  });
}

function surenessOf(answer: Json): number {
  const entry = logprobsOf(answer);
  return entry.length === 0 ? 0 : Math.exp(entry.reduce((sum, { logprob }) => sum + logprob, 0) / entry.length);
}

function segmentsOf(answer: Json, seconds: number): TranscribedSegment[] {
  const text = textOf(answer);
  if (!Array.isArray(answer.segments)) {
    // Without its logprobs the model's confidence is unknown.
    return text === '' ? [] : [{ text, startMs: 0, endMs: Math.round(seconds * 1000), confidence: surenessOf(answer) }];
  }
  const segments = answer.segments.filter(isObject);
  const texts = segments.map((segment) => String(segment.text).trim());
  const spaced = spacedIn(text, texts);
  return segments.map((segment, at) => ({
    text: texts[at]!,
    startMs: millisecondsOf(segment.start),
    endMs: millisecondsOf(segment.end),
    confidence: typeof segment.avg_logprob === 'number' ? Math.min(1, Math.exp(segment.avg_logprob)) : 1,
    ...(at > 0 && !spaced[at] && { isGlued: true }),
    decoding: decodingOf(segment),
  }));
}

function decodingOf(segment: Json): Partial<SegmentDecoding> {
  const { seek, tokens, temperature, avg_logprob, compression_ratio, no_speech_prob } = segment;
  return {
    seek: Number.isInteger(seek) ? (seek as number) : undefined,
    tokens: Array.isArray(tokens) && tokens.every(Number.isInteger) ? (tokens as number[]) : undefined,
    temperature: numberIn(temperature),
    avgLogprob: numberIn(avg_logprob),
    compressionRatio: numberIn(compression_ratio),
    noSpeechProb: numberIn(no_speech_prob),
  };
}

const numberIn = (value: unknown): number | undefined => (Number.isFinite(value) ? (value as number) : undefined);

/** The upstream reports the confidence of segments; it is applied to their words. */
function wordsOf({ words }: Json, segments: TranscribedSegment[]): TranscribedWord[] {
  if (!Array.isArray(words)) return [];
  return words.filter(isObject).map((word) => {
    const placed = { text: String(word.word), startMs: millisecondsOf(word.start), endMs: millisecondsOf(word.end) };
    return { ...placed, confidence: segments.find((segment) => isWithin(placed, segment))?.confidence ?? 1 };
  });
}

function isWithin(word: { startMs: number }, segment: { startMs: number; endMs: number }): boolean {
  return word.startMs >= segment.startMs && word.startMs < segment.endMs;
}

const millisecondsOf = (seconds: unknown) => Math.round(Number(seconds) * 1000);

/** The upstream names the language in English. One that is not known by its name stays as it is called, unless the caller said which it is. */
function languageOf(name: unknown, { language, translate }: TranscriptionOptions): string {
  if (translate) return 'en';
  if (typeof name !== 'string' || name === '') return language ?? 'en';
  return languageCodeOf(name) ?? language ?? name;
}
