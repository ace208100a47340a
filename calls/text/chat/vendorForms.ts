import { newId } from '../../../db/ids.ts';
import { isObject } from '../../../base/json.ts';
import type { Json } from '../../../providers/provider.ts';

/** What compatible upstreams leave out or call otherwise, in the forms that OpenAI's typed clients accept. */

const SERVICE_TIERS: readonly unknown[] = ['auto', 'default', 'flex', 'scale', 'priority', 'fast'];

/** A service tier of OpenAI's; undefined for an upstream's own word, such as `on_demand`. */
export const knownTier = (tier: unknown): string | undefined =>
  SERVICE_TIERS.includes(tier) ? (tier as string) : undefined;

/** Whole tool calls: each has an id, a type and arguments, which are JSON: some upstreams write none as an empty text. */
export const wholeCalls = <Call extends object>(calls: Call[] | null | undefined): Call[] | null | undefined =>
  calls?.map((sent): Call => {
    const call = sent as Json;
    const id = call.id || newId('call');
    const { custom } = call;
    const called = isObject(call.function) ? call.function : { name: '' };
    const whole = isObject(custom)
      ? { type: 'custom', custom: { ...custom, input: custom.input ?? '' } }
      : { type: 'function', function: { ...called, arguments: called.arguments || '{}' } };
    return { ...call, id, ...whole } as unknown as Call;
  });

// OpenAI's value for a token that is not among the likely ones.
const UNLIKELY = -9999;

const isNumbered = ({ logprob }: Json): boolean => typeof logprob === 'number';
const numbered = (token: Json): Json => (isNumbered(token) ? token : { ...token, logprob: UNLIKELY });
const isWhole = (token: Json): boolean =>
  isNumbered(token) && Array.isArray(token.top_logprobs) && token.top_logprobs.every(isNumbered);

/** Log probabilities of which each is a number, with a list of the likely tokens beside it. */
export function wholeLogprobs<Found extends { content?: object[] | null }>(
  logprobs: Found | null | undefined,
): Found | null {
  const tokens = logprobs?.content as Json[] | null | undefined;
  if (!tokens || tokens.every(isWhole)) return logprobs ?? null;
  const content = tokens.map((token) => ({
    ...numbered(token),
    top_logprobs: ((token.top_logprobs ?? []) as Json[]).map(numbered),
  }));
  return { ...logprobs, content } as unknown as Found;
}

interface CallPiece {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | null } | null;
  custom?: { name?: string | null } | null;
}

/**
 * Numbers the tool calls of one streamed choice from 0 in the order in which they begin: some upstreams leave their numbers out, and some
 * give all of them the number 0. `begun` is called when a call begins. `rest`: the arguments of calls that have none, which are JSON for
 * OpenAI: some upstreams write an empty text.
 */
export function createCallNumbers(begun: () => void) {
  const calls: { index: number | undefined; id: string; isWhole: boolean }[] = [];

  function numberOf({ index: own, id, function: called, custom }: CallPiece): number {
    const index = own ?? undefined;
    const at = calls.findLastIndex((call) => index === undefined || call.index === index);
    const known = calls[at];
    const hasName = Boolean(called?.name || custom?.name);
    const isWhole = Boolean(called?.arguments || custom);
    const isOther = id ? known?.id !== '' && known?.id !== id : index === undefined && hasName;
    if (known && !isOther) {
      known.id ||= id ?? '';
      known.isWhole ||= isWhole;
      return at;
    }
    begun();
    return calls.push({ index, id: id ?? '', isWhole }) - 1;
  }

  return {
    of: <Piece extends CallPiece>(pieces: Piece[]): Piece[] =>
      pieces.map((piece) => {
        const index = numberOf(piece);
        return piece.index === index ? piece : { ...piece, index };
      }),
    rest: (): { index: number; function: { arguments: string } }[] =>
      calls.flatMap(({ isWhole }, index) => (isWhole ? [] : [{ index, function: { arguments: '{}' } }])),
  };
}
