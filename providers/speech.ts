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

/** How the speaking is coloured, in ElevenLabs' words. An engine uses what it can and leaves the rest. */
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

export interface SpeechInput {
  text: string;
  /** A preset's id (`voices.json`), the upstream's own voice id, or a cloned voice. */
  voice: string | VoiceMeasure | ClonedVoice;
  /** The upstream's own model id; the embedded engine has one model and takes no notice. */
  model?: string;
  /** A BCP 47 code. The embedded voices speak English alone and read other text by its letters. */
  language?: string;
  /** 1 is the voice's own speed; 0.25 to 4. */
  speed?: number;
  seed?: number;
  settings?: VoiceSettings;
  instructions?: string;
  previousText?: string;
  nextText?: string;
  /** Whether numbers and the like are spelled out. The embedded voices always do. */
  textNormalization?: 'auto' | 'on' | 'off';
  /** Whether chunks must carry `marks`; they cost some more work. */
  marks?: boolean;
}

/** A piece of speech, in order. */
export interface SpeechChunk {
  pcm: Int16Array;
  /** The same in all chunks of one speech; any whole number, since some presets are made by playing faster or slower. */
  sampleRate: number;
  /** Code points of the input whose sound this chunk completes. Over a whole speech they add up to the text's length. */
  characters: number;
  /** Words as they stand in the input, and its single characters (code points), where the engine can tell their times. */
  marks?: { words: SpokenSpan[]; characters: SpokenSpan[] };
}

/** Text to sound. Errors, from the first chunk on: `ProviderError`, or the signal's own reason once it is aborted. */
export interface SpeechProvider {
  speak: (input: SpeechInput, signal: CallSignal) => AsyncIterable<SpeechChunk>;
}

export interface TranscriptionOptions {
  model?: string;
  language?: string;
  prompt?: string;
  temperature?: number;
  seed?: number;
  /** Whether the words are to be put into English. An engine that hears English alone has nothing to do for it. */
  translate?: boolean;
}

export interface TranscribedWord {
  text: string;
  startMs: number;
  endMs: number;
  /** From 0 to 1. */
  confidence: number;
}

export interface TranscribedSegment {
  text: string;
  startMs: number;
  endMs: number;
  confidence: number;
}

export interface Transcript {
  /** Empty for silence and noise. */
  text: string;
  /** The language as an ISO 639-1 code. */
  language: string;
  segments: TranscribedSegment[];
  words: TranscribedWord[];
  durationSeconds: number;
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

export interface ConversionInput {
  /** Mono samples at 16 kHz. */
  audio: AsyncIterable<Int16Array>;
  voice: SpeechInput['voice'];
  model?: string;
  seed?: number;
  settings?: VoiceSettings;
}

/** Speech to speech in another voice. `characters` of its chunks is 0: conversion is paid by the second. Errors as for speech. */
export interface ConversionProvider {
  convert: (input: ConversionInput, signal: CallSignal) => AsyncIterable<SpeechChunk>;
}
