import type { AudioFormat } from '../../audio/formats.ts';
import type { Model } from '../../db/catalog.ts';
import { costNanosOf, type Quantities } from '../../db/money.ts';
import type { SpeechInput } from '../../providers/speech.ts';
import type { CallerVoice } from './callerVoice.ts';

/** A text to be spoken, from whichever route: what the engine is given, and what its price and its answer depend on. */
export interface SpeechOrder {
  model: Model;
  voice: CallerVoice;
  text: string;
  format: AudioFormat;
  /** What the request says of the speaking, and whether the times of words are wanted. */
  manner: Omit<SpeechInput, 'text' | 'voice' | 'model' | 'format'>;
  /** Whether it is kept in the history, and under which name of its format. */
  keptAs: string | null;
}

/** The billed units of so much text. */
export const quantitiesOf = (characters: number): Quantities => ({ input_characters: characters });

/** Characters are code points: what a reader counts, but for joined emoji. */
export const charactersOf = (text: string): number => Array.from(text).length;

/** What so much text costs with a model. */
export const priceOf = (characters: number, { rates }: Model): bigint => costNanosOf(quantitiesOf(characters), rates);

/** The order within what a hold smaller than its price pays for: the text's beginning, and never less than its first character. */
export function orderWithin(order: SpeechOrder, holdNanos: bigint): SpeechOrder {
  const characters = Array.from(order.text);
  let [low, high] = [1, characters.length];
  // Prices are rounded, so the last character that fits is searched for.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (priceOf(middle, order.model) <= holdNanos) low = middle;
    else high = middle - 1;
  }
  return { ...order, text: characters.slice(0, low).join('') };
}
