import type { Json } from '../../providers/provider.ts';
import type { Piece } from './speech.ts';

/** The invented log probability of each token that is said. */
const SAID = -0.25;

// More than the 20 that can be asked for, so that a token that is said can be left out. All together have a probability below 1.
const OTHERS =
  ' the, of, and, to, in, is, it, that, for, on, with, as, at, by, an, be, or, not, are, from, this, was'.split(',');

/** Log probabilities of a text in the form of a chat choice: a piece counts as a token. `count`: how many likely tokens each one has. */
export function chatLogprobs(pieces: Piece[], count: number): Json {
  const content = pieces
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => ({
      ...entry([text, SAID]),
      top_logprobs: likelyBeside(text).slice(0, count).map(entry),
    }));
  return { content, refusal: null };
}

const entry = ([token, logprob]: Likely) => ({ token, logprob, bytes: [...Buffer.from(token)] });

/** A part of a completion: `begin` is the place of its first piece in the text, `isStart` whether nothing precedes that piece. */
interface Part {
  pieces: Piece[];
  begin: number;
  isStart: boolean;
}

/** Log probabilities in the form of a completion's choice. A model has none for a text's first token. */
export function completionLogprobs({ pieces, begin, isStart }: Part, count: number): Json {
  const unscored = isStart ? pieces[0] : undefined;
  let offset = begin;
  return {
    tokens: pieces.map(({ text }) => text),
    token_logprobs: pieces.map((piece) => (piece === unscored ? null : SAID)),
    top_logprobs: pieces.map((piece) =>
      piece === unscored ? null : Object.fromEntries(likelyBeside(piece.text).slice(0, Math.max(count, 1))),
    ),
    text_offset: pieces.map(({ text }) => (offset += text.length) - text.length),
  };
}

type Likely = [token: string, logprob: number];

/** A token and others, the likeliest first. */
function likelyBeside(said: string): Likely[] {
  const others = OTHERS.filter((token) => token !== said);
  return [[said, SAID], ...others.map((token, at): Likely => [token, -2 - at])];
}
