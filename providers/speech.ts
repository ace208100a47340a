import type { SupportedParameters, VendorParameters } from './supportedParameters.ts';
import type { CallSignal } from './provider.ts';

/** Audio between engines: one channel of signed 16-bit samples, and the sample rate. */
export interface Pcm {
  samples: Int16Array;
  sampleRate: number;
}

/** When a span of the input text is spoken. Times count from the start of the whole speech, not of the chunk. */
export interface SpokenSpan {
  text: string;
  startMs: number;
  endMs: number;
}

/** Style settings of the speech, in ElevenLabs' terms. */
export interface VoiceSettings {
  stability?: number;
  similarity_boost?: number;
  style?: number;
  use_speaker_boost?: boolean;
}

/** Measures of a voice sample: enough to shift another voice towards it. */
export interface VoiceMeasure {
  /** The median pitch of the voiced parts; 0 when nothing in the sample is voiced. */
  pitchHz: number;
  /** The spectral centroid of the voiced parts: a small head sounds brighter than a large one. */
  brightnessHz: number;
}

/** A cloned voice: its measures, and its ids at the upstreams that cloned it too, by their names. */
export interface ClonedVoice extends VoiceMeasure {
  upstreamIds: Record<string, string>;
}

/** The data that creates or changes a voice. Samples are whole audio files, and are added to existing ones. */
export interface VoiceOrder {
  name: string;
  description?: string | null;
  labels?: Record<string, string>;
  removeNoise: boolean;
  samples: { filename: string; content: Blob }[];
}

/** The cloned voices at an upstream, by its own ids. Errors: `ProviderError`. */
export interface CloningProvider {
  /** Resolves to the upstream's id of the new voice. */
  addVoice: (order: VoiceOrder) => Promise<string>;
  editVoice: (id: string, order: VoiceOrder) => Promise<void>;
  /** Succeeds for a voice that the upstream does not have. */
  removeVoice: (id: string) => Promise<void>;
}

/** Parameters of speech besides text and voice. Each engine declares which of them it supports. */
export interface SpeechParameters {
  /** A BCP 47 code. */
  language?: string;
  /** 1 is the voice's own speed; 0.25 to 4. */
  speed?: number;
  seed?: number;
  settings?: VoiceSettings;
  instructions?: string;
  previousText?: string;
  nextText?: string;
  /** Whether numbers and the like are spelled out. */
  textNormalization?: 'auto' | 'on' | 'off';
  /** ElevenLabs' latency levels, 0 to 4; the last one skips text normalisation. */
  latency?: number;
  others?: VendorParameters;
}

export interface SpeechInput extends SpeechParameters {
  text: string;
  /** A preset by any of its names (`voices.json`), the upstream's own voice id, or a cloned voice. */
  voice: string | VoiceMeasure | ClonedVoice;
  /** The upstream's own model id; the embedded engine has one model and ignores it. */
  model?: string;
  /** ElevenLabs' name of the answer's format: an engine that supports it returns `encoded` chunks. */
  format?: string;
  /** OpenAI's format name, which identifies only the codec. */
  codec?: string;
  /** Whether chunks must carry `marks`, which cost extra work. */
  marks?: boolean;
}

/** A piece of speech, in order. */
export interface SpeechChunk {
  pcm: Int16Array;
  /** Constant within one speech; any integer, since some presets are made by playing faster or slower. */
  sampleRate: number;
  /** The audio in the requested `format`; `pcm` is empty then. Set in all chunks of one speech, or in none. */
  encoded?: Buffer;
  /** Code points of the input completed by this chunk's audio. Over a whole speech they add up to the text's length. */
  characters: number;
  marks?: SpeechMarks;
}

/** The times of a text, if the engine knows them. */
export interface SpeechMarks {
  /** Words as in the input. */
  words: SpokenSpan[];
  /** The input's single characters (code points). */
  characters: SpokenSpan[];
  /** Characters of the text as spoken: numbers, money and abbreviations spelled out. */
  normalized: SpokenSpan[];
}

/** Text to speech. Errors, from the first chunk on: `ProviderError`, or the signal's own reason once it is aborted. */
export interface SpeechProvider {
  speak: (input: SpeechInput, signal: CallSignal) => AsyncIterable<SpeechChunk>;
}

/** Parameters of a transcription besides its audio. Each engine declares which of them it supports. */
export interface TranscriptionParameters {
  language?: string;
  prompt?: string;
  temperature?: number;
  seed?: number;
  /** Whether to translate the words into English. */
  translate?: boolean;
  /** Whether to include sounds such as laughter. */
  audioEvents?: boolean;
  /** Whether timestamps of words or segments are requested. */
  times?: 'words' | 'segments';
  /** Whether confidence values are requested. */
  logprobs?: boolean;
  /** OpenAI's chunking strategy; `auto` leaves it to the engine. */
  chunking?: string;
  /** Whether a conversation waits for the words: an engine may trade some accuracy for speed. */
  isLive?: boolean;
  others?: VendorParameters;
}

export interface TranscriptionOptions extends TranscriptionParameters {
  model?: string;
}

export interface TranscribedWord {
  text: string;
  startMs: number;
  endMs: number;
  /** From 0 to 1. */
  confidence: number;
  /** Set for sounds that are not words: laughter, applause. */
  isEvent?: true;
}

export interface TranscribedSegment {
  text: string;
  startMs: number;
  endMs: number;
  confidence: number;
  /** No white space is between it and the segment before. */
  isGlued?: boolean;
  /** A Whisper model's decoding values, as far as an upstream reports them. */
  decoding?: Partial<SegmentDecoding>;
}

/** The values of a segment in OpenAI's `verbose_json` that only the model's decoder knows. */
export interface SegmentDecoding {
  seek: number;
  tokens: number[];
  temperature: number;
  avgLogprob: number;
  compressionRatio: number;
  noSpeechProb: number;
}

export interface Transcript {
  /** Empty for silence and noise. */
  text: string;
  /** The language as an ISO 639-1 code. */
  language: string;
  /** The engine's confidence in the language, from 0 to 1; omitted if it has none. */
  languageProbability?: number;
  segments: TranscribedSegment[];
  words: TranscribedWord[];
  durationSeconds: number;
  /** The confidence in each token, if the engine reports it. */
  logprobs?: TokenLogprob[];
}

export interface TokenLogprob {
  token: string;
  logprob: number;
  bytes: number[];
}

/** A transcription in progress: final segments one by one, and at the end the whole. */
export type TranscriptionEvent =
  { type: 'segment'; segment: TranscribedSegment; words: TranscribedWord[] } | { type: 'done'; transcript: Transcript };

/** Speech to text. `audio` is a stream of mono samples at 16 kHz, in pieces of any size. Errors as for speech. */
export interface TranscriptionProvider {
  transcribe: (
    audio: AsyncIterable<Int16Array>,
    options: TranscriptionOptions,
    signal: CallSignal,
  ) => AsyncIterable<TranscriptionEvent>;
}

/** Parameters of a conversion besides its audio and voice. Each engine declares which of them it supports. */
export type ConversionParameters = Pick<SpeechParameters, 'seed' | 'settings' | 'speed' | 'latency' | 'others'>;

export interface ConversionInput extends ConversionParameters {
  /** Mono samples at 16 kHz. */
  audio: AsyncIterable<Int16Array>;
  voice: SpeechInput['voice'];
  model?: string;
  format?: string;
}

/** Why an engine cannot speak a text: the code for the caller. */
export type Unspeakable = 'unsupported_language' | 'invalid_value';

/** Sentences for the caller. */
export const UNSPEAKABLE: Record<Unspeakable, string> = {
  unsupported_language:
    'The text has letters or digits that this voice cannot speak. ' +
    'The embedded voices speak English: write it in Latin letters, or use another model.',
  invalid_value: 'The text has nothing that can be spoken: it needs at least one letter or digit.',
};

/** What a caller does about a language that the model does not take: some take English alone, some none by its name. */
export const OTHER_LANGUAGE = 'Leave it out, or use another model.';

/** The parameters that an engine supports, by task. */
export interface SoundParameters {
  /** The verdict on a text is `Unspeakable`. */
  speech?: SupportedParameters<SpeechParameters & Pick<SpeechInput, 'text'>>;
  /** May depend on the upstream's model, and on the task. */
  transcription?: (model: string, given: TranscriptionParameters) => SupportedParameters<TranscriptionParameters>;
  conversion?: SupportedParameters<ConversionParameters>;
}

/** Speech to speech in another voice. `characters` of its chunks is 0: conversion is billed by the second. Errors as for speech. */
export interface ConversionProvider {
  convert: (input: ConversionInput, signal: CallSignal) => AsyncIterable<SpeechChunk>;
}
