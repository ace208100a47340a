/** How a unit is shown: its name, and for how many units a price is stated. */
interface ShownUnit {
  label: string;
  per: string;
  /** What a price for a million of them is multiplied by. */
  factor: number;
}

const MILLION = 1_000_000;
const TOKENS = { per: '1M tokens', factor: 1 };
const CHARACTERS = { per: '1M characters', factor: 1 };

export const UNITS: Record<string, ShownUnit> = {
  input_tokens: { label: 'Input', ...TOKENS },
  output_tokens: { label: 'Output', ...TOKENS },
  cached_input_tokens: { label: 'Cached input', ...TOKENS },
  cache_write_tokens: { label: 'Cache write', ...TOKENS },
  input_characters: { label: 'Spoken text', ...CHARACTERS },
  output_characters: { label: 'Spoken answer', ...CHARACTERS },
  audio_minutes: { label: 'Audio', per: 'minute', factor: 1 / MILLION },
  audio_seconds: { label: 'Audio', per: 'minute', factor: 60 / MILLION },
};

export const shownUnit = (unit: string): ShownUnit => UNITS[unit] ?? { label: unit, per: '1M', factor: 1 };

// Rates are whole pico-dollars of a unit.
const DECIMALS_MAX = 9;
const rounded = (usd: number, decimals: number): number => Number(usd.toFixed(decimals));

/** A stated price as it is shown. */
export const shownUsd = (unit: string, usdPerMillion: number): number =>
  rounded(usdPerMillion * shownUnit(unit).factor, DECIMALS_MAX);

/** A shown price as it is stated: with six decimals at most. */
export const statedUsd = (unit: string, shown: number): number => rounded(shown / shownUnit(unit).factor, 6);

/** The units of a price in their order of importance. */
export const orderedUnits = (units: string[]): string[] => {
  const order = Object.keys(UNITS);
  return units.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
};
