import type { Pronunciation } from '../pronunciation/pronounce.ts';

/** What a model says, and how long each of its sounds takes. */
export interface Said {
  samples: Float32Array;
  sampleRate: number;
  /** Samples that each sound of the pronunciation takes. */
  lengths: number[];
  /** Samples before the first sound. */
  lead: number;
}

/** A model that speaks rows of sounds. */
export interface VoiceModel {
  accentOf(voice: string): 'us' | 'gb';
  speak(pronunciation: Pronunciation, manner: { voice: string; speed: number }): Promise<Said>;
}
