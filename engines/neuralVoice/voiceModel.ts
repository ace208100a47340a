import type { Pronunciation } from '../pronunciation/pronounce.ts';

/** A model's audio, and the duration of each of its sounds. */
export interface Said {
  samples: Float32Array;
  sampleRate: number;
  /** The number of samples of each sound of the pronunciation. */
  lengths: number[];
  /** Samples before the first sound. */
  lead: number;
}

/** A model that speaks rows of sounds. */
export interface VoiceModel {
  accentOf(voice: string): 'us' | 'gb';
  speak(pronunciation: Pronunciation, manner: { voice: string; speed: number }): Promise<Said>;
}
