import type { Json } from '../provider.ts';
import { producedTextOf, shortenChoice } from './producedText.ts';
import type { TokenMeter } from './tokenMeter.ts';
import { beginningOf } from './tokens.ts';

/** What is covered of a metered answer. */
interface Cover {
  /** Whether what the meter has observed is covered. */
  isCovered(): boolean;
  /** The most output tokens that are covered. */
  outputTokensMax(): number;
}

/**
 * The beginning of the read that a meter observed last, up to the last token that is covered; the read itself where a count shows that all
 * of it is. The meter has observed what is returned, and nothing more.
 */
export async function coveredPart(meter: TokenMeter, read: Json[], cover: Cover): Promise<Json[]> {
  meter.takeBack();
  await meter.count();
  const part: Json[] = [];
  for (const chunk of read.flatMap(withOneChoice)) {
    meter.observe([chunk]);
    if (!cover.isCovered()) await meter.count();
    // What has no text gives nothing away.
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

/** The beginning of a chunk that is covered; undefined where its first token is not. */
async function shorten(meter: TokenMeter, chunk: Json, cover: Cover): Promise<Json | undefined> {
  const tokensMax = Math.max(0, cover.outputTokensMax() - meter.atMost().outputTokens);
  const choice = shortenChoice(choicesIn(chunk)[0]!, await beginningOf(producedIn(chunk), tokensMax));
  if (!choice) return undefined;
  // Its usage is that of the whole chunk.
  const { usage: _usage, ...rest } = chunk;
  const beginning = { ...rest, choices: [choice] };
  meter.observe([beginning]);
  await meter.count();
  if (cover.isCovered()) return beginning;
  meter.takeBack();
  return undefined;
}
