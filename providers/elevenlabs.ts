import { FormData } from 'undici';
import { ProviderError } from './provider.ts';
import type { CallSignal, Json } from './provider.ts';
import type {
  CloningProvider,
  ConversionInput,
  ConversionProvider,
  SpeechChunk,
  SpeechInput,
  SpeechProvider,
  SpokenSpan,
  TranscribedWord,
  TranscriptionEvent,
  TranscriptionOptions,
  TranscriptionProvider,
} from './speech.ts';
import { createAudioCalls, jsonOf, parseObject } from './voiceUpstream/audioCalls.ts';
import type { UpstreamOptions } from './upstreamOptions.ts';
import { createElevenLabsVoices } from './voiceUpstream/elevenLabsVoices.ts';
import { samplesFrom, samplesOf, wavFileOf } from './voiceUpstream/pcm.ts';

const SAMPLE_RATE = 24_000;
const FORMAT = `pcm_${SAMPLE_RATE}`;
// One line holds a few seconds of sound in base64.
const LINE_CHARACTERS_MAX = 16_000_000;

/** An ElevenLabs-compatible upstream. Its base address is without `/v1`. `close` ends all connections, those in use included. */
export function createElevenLabs(
  options: UpstreamOptions,
): SpeechProvider & TranscriptionProvider & ConversionProvider & CloningProvider & { close: () => Promise<void> } {
  const calls = createAudioCalls(options, options.apiKey === undefined ? {} : { 'xi-api-key': options.apiKey });

  /** Asks for times always: they tell how far in the text the sound is. */
  async function* speak(input: SpeechInput, signal: CallSignal): AsyncGenerator<SpeechChunk> {
    const path = `v1/text-to-speech/${voicePath(input.voice)}/stream/with-timestamps?output_format=${FORMAT}`;
    const total = Array.from(input.text).length;
    let done = 0;
    for await (const line of linesOf(calls.post(path, speechBody(input), signal))) {
      const chunk = chunkOf(parseObject(line), total - done);
      done += chunk.characters;
      yield chunk;
    }
    if (done < total) yield { pcm: new Int16Array(0), sampleRate: SAMPLE_RATE, characters: total - done };
  }

  async function* transcribe(
    audio: AsyncIterable<Int16Array>,
    { model = 'scribe_v1', language, temperature, seed }: TranscriptionOptions,
    signal: CallSignal,
  ): AsyncGenerator<TranscriptionEvent> {
    const { file, seconds } = await wavFileOf(audio);
    const asked = { model_id: model, language_code: language, temperature, seed };
    // Events are no words: those who send none of them have none in the text either.
    const form = formOf({ ...asked, timestamps_granularity: 'word', tag_audio_events: 'false' });
    form.set('file', file, 'audio.wav');
    yield* eventsOf(await jsonOf(calls.post('v1/speech-to-text', form, signal)), seconds);
  }

  async function* convert(input: ConversionInput, signal: CallSignal): AsyncGenerator<SpeechChunk> {
    const { file } = await wavFileOf(input.audio);
    const settings = input.settings && JSON.stringify(input.settings);
    const form = formOf({ model_id: input.model, voice_settings: settings, seed: input.seed });
    form.set('audio', file, 'audio.wav');
    const path = `v1/speech-to-speech/${voicePath(input.voice)}/stream?output_format=${FORMAT}`;
    for await (const pcm of samplesFrom(calls.post(path, form, signal))) {
      yield { pcm, sampleRate: SAMPLE_RATE, characters: 0 };
    }
  }

  return { speak, transcribe, convert, ...createElevenLabsVoices(calls), close: calls.close };
}

function voicePath(voice: SpeechInput['voice']): string {
  if (typeof voice === 'string') return encodeURIComponent(voice);
  throw new ProviderError('refused', 'the upstream has not cloned this voice', {
    status: 400,
    detail: { message: 'This voice was cloned before its model could speak like it. Add it again.', param: 'voice_id' },
  });
}

function speechBody({ settings, speed, ...input }: SpeechInput): Json {
  const voiceSettings = speed === undefined ? settings : { ...settings, speed };
  return {
    text: input.text,
    model_id: input.model,
    language_code: input.language,
    voice_settings: voiceSettings,
    seed: input.seed,
    previous_text: input.previousText,
    next_text: input.nextText,
    apply_text_normalization: input.textNormalization,
  };
}

function formOf(fields: Record<string, string | number | undefined>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, String(value));
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

function chunkOf(line: Json, charactersMax: number): SpeechChunk {
  if (typeof line.audio_base64 !== 'string')
    throw new ProviderError('failed', 'the upstream sent a chunk without sound');
  const pcm = samplesOf(Buffer.from(line.audio_base64, 'base64'));
  const characters = charactersOf(line.alignment);
  return {
    pcm,
    sampleRate: SAMPLE_RATE,
    characters: Math.min(charactersMax, characters.length),
    marks: { words: wordsIn(characters), characters },
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

function* eventsOf(answer: Json, durationSeconds: number): Generator<TranscriptionEvent> {
  if (typeof answer.text !== 'string' || !Array.isArray(answer.words)) {
    throw new ProviderError('failed', 'the upstream sent a transcription without a text or words');
  }
  const words = (answer.words as Json[]).filter(({ type }) => type === 'word').map(wordOf);
  const text = answer.text.trim();
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / Math.max(1, words.length);
  const endMs = words.at(-1)?.endMs ?? Math.round(durationSeconds * 1000);
  const segments = text === '' ? [] : [{ text, startMs: words[0]?.startMs ?? 0, endMs, confidence }];
  for (const segment of segments) yield { type: 'segment', segment, words };
  const language = typeof answer.language_code === 'string' ? shortCode(answer.language_code) : 'en';
  yield { type: 'done', transcript: { text, language, segments, words, durationSeconds } };
}

function wordOf({ text, start, end, logprob }: Json): TranscribedWord {
  return {
    text: String(text),
    startMs: Math.round(Number(start) * 1000),
    endMs: Math.round(Number(end) * 1000),
    confidence: typeof logprob === 'number' ? Math.min(1, Math.exp(logprob)) : 1,
  };
}

/** `eng` as `en`, where the language has a code of two letters. */
function shortCode(code: string): string {
  try {
    return new Intl.Locale(code).language;
  } catch {
    return code;
  }
}
