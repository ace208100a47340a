import type { Honours, VendorParameters } from './honours.ts';
import type { CallSignal } from './provider.ts';

/** Sound as every engine here takes and gives it: one channel of signed 16-bit samples, and how many of them make a second. */
export interface Pcm {
  samples: Int16Array;
  sampleRate: number;
}

/** Where a stretch of the given text is heard. Times count from the start of the whole speech, not of the chunk. */
export interface SpokenSpan {
  text: string;
  startMs: number;
  endMs: number;
}

/** How the speaking is coloured, in ElevenLabs' words. */
export interface VoiceSettings {
  stability?: number;
  similarity_boost?: number;
  style?: number;
  use_speaker_boost?: boolean;
}

/** What a voice of a sample sounds like: enough to bring another voice near it. */
export interface VoiceMeasure {
  /** The middle of the voiced parts' pitch; 0 when nothing in the sample is voiced. */
  pitchHz: number;
  /** The centre of gravity of the voiced parts' spectrum: a small head sounds brighter than a large one. */
  brightnessHz: number;
}

/** A cloned voice: what it sounds like, and its ids at the upstreams that have cloned it too, by their names. */
export interface ClonedVoice extends VoiceMeasure {
  upstreamIds: Record<string, string>;
}

/** What a voice is made from, or is changed to. Samples are whole files of sound, and are added to those that a voice has. */
export interface VoiceOrder {
  name: string;
  description?: string | null;
  labels?: Record<string, string>;
  removeNoise: boolean;
  samples: { filename: string; content: Blob }[];
}

/** The cloned voices that an upstream keeps, by its own ids. Errors: `ProviderError`. */
export interface CloningProvider {
  /** Resolves to the upstream's id of the new voice. */
  addVoice: (order: VoiceOrder) => Promise<string>;
  editVoice: (id: string, order: VoiceOrder) => Promise<void>;
  /** A voice that the upstream does not have is removed already. */
  removeVoice: (id: string) => Promise<void>;
}

/** What a request may say of speech beside its text and voice. Each engine declares what of it it honours. */
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
  /** ElevenLabs' levels of haste, 0 to 4; the last one leaves out the spelling of numbers. */
  latency?: number;
  others?: VendorParameters;
}

export interface SpeechInput extends SpeechParameters {
  text: string;
  /** A preset by any of its names (`voices.json`), the upstream's own voice id, or a cloned voice. */
  voice: string | VoiceMeasure | ClonedVoice;
  /** The upstream's own model id; the embedded engine has one model and takes no notice. */
  model?: string;
  /** ElevenLabs' name of the format of the answer: an engine that can make it gives `encoded` chunks. */
  format?: string;
  /** OpenAI's name of it, where the caller asked for one of OpenAI's formats, of which only the codec is said. */
  codec?: string;
  /** Whether chunks must carry `marks`; they cost some more work. */
  marks?: boolean;
}

/** A piece of speech, in order. */
export interface SpeechChunk {
  pcm: Int16Array;
  /** The same in all chunks of one speech; any whole number, since some presets are made by playing faster or slower. */
  sampleRate: number;
  /** The sound in the `format` that was asked for; `pcm` is empty then. All chunks of one speech have it, or none. */
  encoded?: Buffer;
  /** Code points of the input whose sound this chunk completes. Over a whole speech they add up to the text's length. */
  characters: number;
  /** Words as they stand in the input, and its single characters (code points), where the engine can tell their times. */
  marks?: { words: SpokenSpan[]; characters: SpokenSpan[] };
}

/** Text to sound. Errors, from the first chunk on: `ProviderError`, or the signal's own reason once it is aborted. */
export interface SpeechProvider {
  speak: (input: SpeechInput, signal: CallSignal) => AsyncIterable<SpeechChunk>;
}

/** What a request may say of a transcription beside its sound. Each engine declares what of it it honours. */
export interface TranscriptionParameters {
  language?: string;
  prompt?: string;
  temperature?: number;
  seed?: number;
  /** Whether the words are to be put into English. */
  translate?: boolean;
  /** Whether laughter and the like is told among the words. */
  audioEvents?: boolean;
  /** Whether the times of words, or of segments, are asked for. */
  times?: 'words' | 'segments';
  /** Whether it is asked for how sure the engine is. */
  logprobs?: boolean;
  /** OpenAI's way to cut the sound into pieces; `auto` leaves it to the engine. */
  chunking?: string;
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
  /** Set for what is no word: laughter, applause. */
  isEvent?: true;
}

export interface TranscribedSegment {
  text: string;
  startMs: number;
  endMs: number;
  confidence: number;
  /** How a Whisper model came to it, as far as an upstream says that. */
  decoding?: Partial<SegmentDecoding>;
}

/** The values of a segment in OpenAI's `verbose_json` that only the decoder of its model can know. */
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
  /** How sure the engine is of the language, from 0 to 1; left out where it does not measure that. */
  languageProbability?: number;
  segments: TranscribedSegment[];
  words: TranscribedWord[];
  durationSeconds: number;
  /** How sure the engine is of each token, where it tells that of tokens. */
  logprobs?: TokenLogprob[];
}

export interface TokenLogprob {
  token: string;
  logprob: number;
  bytes: number[];
}

/** A transcription as it grows: final segments one by one, and at the end the whole. */
export type TranscriptionEvent =
  { type: 'segment'; segment: TranscribedSegment; words: TranscribedWord[] } | { type: 'done'; transcript: Transcript };

/** Sound to text. `audio` is a stream of mono samples at 16 kHz, in pieces of any size. Errors as for speech. */
export interface TranscriptionProvider {
  transcribe: (
    audio: AsyncIterable<Int16Array>,
    options: TranscriptionOptions,
    signal: CallSignal,
  ) => AsyncIterable<TranscriptionEvent>;
}

/** What a request may say of a conversion beside its sound and voice. Each engine declares what of it it honours. */
export type ConversionParameters = Pick<SpeechParameters, 'seed' | 'settings' | 'speed' | 'latency' | 'others'>;

export interface ConversionInput extends ConversionParameters {
  /** Mono samples at 16 kHz. */
  audio: AsyncIterable<Int16Array>;
  voice: SpeechInput['voice'];
  model?: string;
  format?: string;
}

/** What an engine honours, by what it does. */
export interface SoundHonours {
  speech?: Honours<SpeechParameters>;
  /** May depend on the upstream's model, and on the task. */
  transcription?: (model: string, given: TranscriptionParameters) => Honours<TranscriptionParameters>;
  conversion?: Honours<ConversionParameters>;
}

/** Speech to speech in another voice. `characters` of its chunks is 0: conversion is paid by the second. Errors as for speech. */
export interface ConversionProvider {
  convert: (input: ConversionInput, signal: CallSignal) => AsyncIterable<SpeechChunk>;
}
