import type { Logger } from 'pino';
import type { Catalog } from '../db/catalog/catalog.ts';
import type { Database } from '../db/database.ts';
import type { TextProviders } from '../providers/textProviders.ts';
import type { VoiceProviders } from '../providers/voiceProviders.ts';

/** What calls of text models need: a batch's lines run in a worker, which has no more. */
export interface CallServices {
  db: Database;
  catalog: Catalog;
  textProviders: Pick<TextProviders, 'of'>;
  /** Calls `cut` when the time for running calls is over. Returns a function that cancels this. */
  shutdown: { onCut(cut: () => void): () => void };
}

/** What calls of sound need beside that. */
export interface SoundServices extends CallServices {
  voiceProviders: VoiceProviders;
  log: Logger;
}
