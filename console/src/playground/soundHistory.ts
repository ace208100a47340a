import type { Figures } from './conversation.ts';
import type { Kept } from './history.ts';

/** A spoken text. Long sounds are not kept beyond the page. */
export interface Spoken extends Kept {
  kind: 'speech';
  text: string;
  model: string;
  voice: string;
  sound: Blob | null;
  figures: Figures;
}

/** A transcribed sound. */
export interface Transcribed extends Kept {
  kind: 'transcription';
  text: string;
  model: string;
  fileName: string;
  figures: Figures;
}

const SOUND_BYTES_MAX = 2_000_000;
const TITLE_LENGTH = 80;

/** The form in which it is kept. */
export const keptSpoken = (item: Spoken): Spoken => ({
  ...item,
  sound: item.sound && item.sound.size <= SOUND_BYTES_MAX ? item.sound : null,
});

export const shortTitle = (text: string): string => text.trim().replace(/\s+/g, ' ').slice(0, TITLE_LENGTH);
