import type { FormData } from 'undici';
import { isObject } from '../base/json.ts';
import { fieldsOf, inDialect } from './supportedParameters.ts';
import { ProviderError } from './provider.ts';
import type { CallSignal, Json } from './provider.ts';
import type {
  CloningProvider,
  ConversionInput,
  ConversionProvider,
  SoundParameters,
  SpeechChunk,
  SpeechInput,
  SpeechProvider,
  SpokenSpan,
  TranscribedWord,
  TranscriptionEvent,
  TranscriptionOptions,
  TranscriptionProvider,
  VoiceSettings,
} from './speech.ts';
import { createAudioCalls, jsonOf, parseObject } from './voiceUpstream/audioCalls.ts';
import { createForm } from './undici.ts';
import type { UpstreamOptions } from './upstreamOptions.ts';
import { cuesOf } from './voiceUpstream/cues.ts';
import { createElevenLabsVoices } from './voiceUpstream/elevenLabsVoices.ts';
import { createFormatChoice, names } from './voiceUpstream/formatChoice.ts';
import { sampleReader, wavFileOf } from './voiceUpstream/pcm.ts';

// One line holds a few seconds of audio in base64.
const LINE_CHARACTERS_MAX = 16_000_000;

/** It supports every parameter in ElevenLabs' own terms, but not instructions in prose, prompts, and translation. */
export const elevenLabsParameters: SoundParameters = {
  speech: {
    text: true,
    language: true,
    speed: true,
    seed: true,
    settings: true,
    previousText: true,
    nextText: true,
    textNormalization: true,
    latency: true,
    others: inDialect('elevenlabs'),
  },
  transcription: () => ({
    language: true,
    temperature: true,
    seed: true,
    audioEvents: true,
    times: true,
    logprobs: true,
    chunking: (asked) => asked === 'auto',
    isLive: true,
    others: inDialect('elevenlabs'),
  }),
  conversion: { seed: true, settings: true, speed: true, latency: true, others: inDialect('elevenlabs') },
};

/** An ElevenLabs-compatible upstream. Its base address is without `/v1`. `close` ends all connections, those in use included. */
export function createElevenLabs(
  options: UpstreamOptions,
): SpeechProvider & TranscriptionProvider & ConversionProvider & CloningProvider & { close: () => Promise<void> } {
  const calls = createAudioCalls(options, options.apiKey === undefined ? {} : { 'xi-api-key': options.apiKey });

  // Some formats require a larger plan.
  const inFormat = createFormatChoice({
    plain: 'pcm_24000',
    mayBeOfFormat: (error) => [401, 402, 403].includes(error.status ?? 0) || names(error, 'output_format'),
  });

  /** Always requests timestamps: they show which part of the text the audio has reached. */
  async function* spoken(input: SpeechInput, format: string, signal: CallSignal): AsyncGenerator<SpeechChunk> {
    const path = `v1/text-to-speech/${voicePath(input.voice)}/stream/with-timestamps?${soundQuery(format, input)}`;
    const total = Array.from(input.text).length;
    const soundOf = soundReader(format);
    let done = 0;
    for await (const line of linesOf(calls.stream(path, speechBody(input), signal))) {
      const chunk = chunkOf(parseObject(line), soundOf, total - done);
      done += chunk.characters;
      yield chunk;
    }
    const end = soundOf(null);
    if (done < total) yield { ...end, characters: total - done };
  }

  async function* transcribe(
    audio: AsyncIterable<Int16Array>,
    { model = 'scribe_v1', language, temperature, seed, audioEvents, times, others }: TranscriptionOptions,
    signal: CallSignal,
  ): AsyncGenerator<TranscriptionEvent> {
    const { file, seconds } = await wavFileOf(audio);
    const asked = { model_id: model, language_code: language, temperature, seed, tag_audio_events: audioEvents };
    const form = formOf({ ...others?.members, ...asked, timestamps_granularity: 'word' });
    form.set('file', file, 'audio.wav');
    yield* eventsOf(await jsonOf(calls.post('v1/speech-to-text', form, signal)), seconds, times !== undefined);
  }

  async function* converted(
    file: Blob,
    { voice, model, seed, settings, speed, others, ...input }: Omit<ConversionInput, 'audio'>,
    format: string,
    signal: CallSignal,
  ): AsyncGenerator<SpeechChunk> {
    const said = settingsOf(settings, speed);
    const form = formOf({ ...others?.members, model_id: model, voice_settings: said && JSON.stringify(said), seed });
    form.set('audio', file, 'audio.wav');
    const path = `v1/speech-to-speech/${voicePath(voice)}/stream?${soundQuery(format, input)}`;
    const soundOf = soundReader(format);
    for await (const bytes of calls.stream(path, form, signal)) yield { ...soundOf(bytes), characters: 0 };
    soundOf(null);
  }

  const speak = (input: SpeechInput, signal: CallSignal) =>
    inFormat(drawnFormat(input), (format) => spoken(input, format, signal));

  async function* convert({ audio, ...input }: ConversionInput, signal: CallSignal): AsyncGenerator<SpeechChunk> {
    const { file } = await wavFileOf(audio);
    yield* inFormat(drawnFormat(input), (format) => converted(file, input, format, signal));
  }

  return { speak, transcribe, convert, ...createElevenLabsVoices(calls), close: calls.close };
}

// WAV is requested as samples; its header is written here.
const drawnFormat = ({ format }: { format?: string }) => format?.replace(/^wav_/, 'pcm_');
const isPcm = (format: string) => format.startsWith('pcm_');
const rateOf = (format: string) => Number(format.split('_')[1]);

type SoundReader = (bytes: Buffer | null) => Pick<SpeechChunk, 'pcm' | 'sampleRate' | 'encoded'>;

/** Reads an answer's bytes: samples, or encoded audio as received. Null is its end, which throws where no sound came. */
function soundReader(format: string): SoundReader {
  const samplesOf = sampleReader();
  const sampleRate = rateOf(format);
  let hasSound = false;
  return (bytes) => {
    hasSound ||= bytes !== null && bytes.length > 0;
    if (bytes === null && !hasSound) throw new ProviderError('failed', 'the upstream sent no sound');
    const given = bytes ?? Buffer.alloc(0);
    return isPcm(format)
      ? { pcm: samplesOf(given), sampleRate }
      : { pcm: new Int16Array(0), sampleRate, encoded: given };
  };
}

function soundQuery(format: string, { latency }: { latency?: number }): string {
  const query = new URLSearchParams({ output_format: format });
  if (latency !== undefined) query.set('optimize_streaming_latency', String(latency));
  return query.toString();
}

function voicePath(voice: SpeechInput['voice']): string {
  if (typeof voice === 'string') return encodeURIComponent(voice);
  throw new ProviderError('refused', 'the upstream has not cloned this voice', {
    status: 400,
    detail: { message: 'This voice was cloned before its model could speak like it. Add it again.', param: 'voice_id' },
  });
}

const settingsOf = (settings: VoiceSettings | undefined, speed: number | undefined) =>
  speed === undefined ? settings : { ...settings, speed };

function speechBody({ settings, speed, ...input }: SpeechInput): Json {
  return {
    ...input.others?.members,
    text: input.text,
    model_id: input.model,
    language_code: input.language,
    voice_settings: settingsOf(settings, speed),
    seed: input.seed,
    previous_text: input.previousText,
    next_text: input.nextText,
    apply_text_normalization: input.textNormalization,
  };
}

function formOf(fields: Json): FormData {
  const form = createForm();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of fieldsOf(value)) form.append(name, one);
  }
  return form;
}

async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    if (rest.length > LINE_CHARACTERS_MAX) throw new ProviderError('failed', 'the upstream sent a line without an end');
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}

function chunkOf(line: Json, soundOf: SoundReader, charactersMax: number): SpeechChunk {
  if (typeof line.audio_base64 !== 'string')
    throw new ProviderError('failed', 'the upstream sent a chunk without sound');
  const characters = charactersOf(line.alignment);
  return {
    ...soundOf(Buffer.from(line.audio_base64, 'base64')),
    characters: Math.min(charactersMax, characters.length),
    marks: {
      words: wordsIn(characters),
      characters,
      normalized: line.normalized_alignment ? charactersOf(line.normalized_alignment) : characters,
    },
  };
}

function charactersOf(alignment: unknown): SpokenSpan[] {
  const {
    characters,
    character_start_times_seconds: starts,
    character_end_times_seconds: ends,
  } = (alignment ?? {}) as Json;
  if (!Array.isArray(characters) || !Array.isArray(starts) || !Array.isArray(ends)) return [];
  return characters.map((text, at) => ({
    text: String(text),
    startMs: Number(starts[at]) * 1000,
    endMs: Number(ends[at]) * 1000,
  }));
}

function wordsIn(characters: SpokenSpan[]): SpokenSpan[] {
  const words: SpokenSpan[] = [];
  let isOpen = false;
  for (const { text, startMs, endMs } of characters) {
    const last = words.at(-1);
    if (/^\s*$/.test(text)) isOpen = false;
    else if (isOpen && last) Object.assign(last, { text: last.text + text, endMs });
    else isOpen = words.push({ text, startMs, endMs }) > 0;
  }
  return words;
}

/** In one segment, or in segments as short as cues where their times are asked for. */
function* eventsOf(answer: Json, durationSeconds: number, isTimed: boolean): Generator<TranscriptionEvent> {
  if (typeof answer.text !== 'string' || !Array.isArray(answer.words)) {
    throw new ProviderError('failed', 'the upstream sent a transcription without a text or words');
  }
  const entries = answer.words.filter(isObject);
  const words = entries.filter(({ type }) => type === 'word' || type === 'audio_event').map(wordOf);
  const text = answer.text.trim();
  const cues = cuesOf(text, words, { isWhole: !isTimed, durationMs: Math.round(durationSeconds * 1000) });
  for (const cue of cues) yield { type: 'segment', ...cue };
  const segments = cues.map(({ segment }) => segment);
  const language = typeof answer.language_code === 'string' ? shortCode(answer.language_code) : 'en';
  const { language_probability: sure } = answer;
  const probability = typeof sure === 'number' ? { languageProbability: sure } : {};
  yield { type: 'done', transcript: { text, language, ...probability, segments, words, durationSeconds } };
}

function wordOf({ text, start, end, logprob, type }: Json): TranscribedWord {
  return {
    text: String(text),
    startMs: Math.round(Number(start) * 1000),
    endMs: Math.round(Number(end) * 1000),
    confidence: typeof logprob === 'number' ? Math.min(1, Math.exp(logprob)) : 1,
    ...(type === 'audio_event' && { isEvent: true as const }),
  };
}

/** `eng` as `en`, if the language has a two-letter code. */
function shortCode(code: string): string {
  try {
    return new Intl.Locale(code).language;
  } catch {
    return code;
  }
}
