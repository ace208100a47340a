import type { Model } from '../playground/models.ts';

interface PricedUnit {
  label: string;
  /** What its price is shown for, and how many of it that is. */
  per: string;
  times: number;
  /** How many of it models are compared by. */
  ranked: number;
}

const TOKENS = { per: '1M tokens', times: 1_000_000 };
const CHARACTERS = { per: '1M characters', times: 1_000_000 };

/** What each unit costs, in the unit that it is compared by. */
const UNITS: Record<Exclude<keyof Model['pricing'], 'request' | 'batch'>, PricedUnit> = {
  prompt: { label: 'Input', ...TOKENS, ranked: 1_000 },
  input_cache_read: { label: 'Cached input', ...TOKENS, ranked: 0 },
  input_cache_write: { label: 'Cache write', ...TOKENS, ranked: 0 },
  completion: { label: 'Output', ...TOKENS, ranked: 1_000 },
  input_character: { label: 'Spoken text', ...CHARACTERS, ranked: 1_000 },
  output_character: { label: 'Spoken answer', ...CHARACTERS, ranked: 0 },
  audio_minute: { label: 'Audio', per: 'minute', times: 1, ranked: 1 },
  audio_second: { label: 'Audio', per: 'minute', times: 60, ranked: 60 },
};

export const PRICED_UNITS = Object.entries(UNITS).map(([name, unit]) => ({
  name: name as keyof typeof UNITS,
  ...unit,
}));
