import { jsonOf, type Chunk } from '../plainChunk.ts';
import type { Json } from '../provider.ts';
import { producedTextOf, shortenChoice } from './producedText.ts';
import type { TokenMeter } from './tokenMeter.ts';
import { beginningOf } from './tokens.ts';

/** The covered part of a metered answer. */
interface Cover {
  /** Whether the hold covers everything the meter has observed. */
  isCovered(): boolean;
  /** The most output tokens that are covered. */
  outputTokensMax(): number;
}

/**
 * The covered beginning of the last observed read; the whole read where a count shows that all of it is covered. Afterwards the meter has
 * observed exactly what is returned.
 */
export async function coveredPart<Read extends Chunk>(
  meter: TokenMeter,
  read: Read[],
  cover: Cover,
): Promise<Read[] | Json[]> {
  meter.takeBack();
  await meter.count();
  const part: Json[] = [];
  for (const chunk of read.map(jsonOf).flatMap(withOneChoice)) {
    meter.observe([chunk]);
    if (!cover.isCovered()) await meter.count();
    // An item without text gives nothing away.
    if (cover.isCovered() || producedIn(chunk) === '') {
      part.push(chunk);
      continue;
    }
    meter.takeBack();
    const beginning = await shorten(meter, chunk, cover);
    return beginning ? [...part, beginning] : part;
  }
  return read;
}

const choicesIn = (chunk: Json): Json[] => (chunk.choices ?? []) as Json[];

const producedIn = (chunk: Json): string => choicesIn(chunk).map(producedTextOf).join('');

function withOneChoice(chunk: Json): Json[] {
  const choices = choicesIn(chunk);
  return choices.length < 2 ? [chunk] : choices.map((choice) => ({ ...chunk, choices: [choice] }));
}

/** The covered beginning of a chunk; undefined if its first token is not covered. */
async function shorten(meter: TokenMeter, chunk: Json, cover: Cover): Promise<Json | undefined> {
  const tokensMax = Math.max(0, cover.outputTokensMax() - meter.atMost().outputTokens);
  const choice = shortenChoice(choicesIn(chunk)[0]!, await beginningOf(producedIn(chunk), tokensMax));
  if (!choice) return undefined;
  // Its usage counts the whole chunk.
  const { usage: _usage, ...rest } = chunk;
  const beginning = { ...rest, choices: [choice] };
  meter.observe([beginning]);
  await meter.count();
  if (cover.isCovered()) return beginning;
  meter.takeBack();
  return undefined;
}
