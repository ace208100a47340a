import { sentencesOf, withoutHalf } from '../../../base/sentences.ts';

// The first piece is short, so that sound starts early; the others are long enough to sound like sentences.
const PIECES = { firstMax: 80, othersMax: 240 };

/** Cuts text where a speaker pauses: after sentences, in a long one after clauses, else between words. Joined, the pieces are the text. */
export function piecesOf(text: string, { firstMax, othersMax } = PIECES): string[] {
  const pieces: string[] = [];
  for (const sentence of sentencesOf(text)) {
    let rest = sentence;
    while (rest !== '') {
      const piece = rest.slice(0, cutOf(rest, pieces.length === 0 ? firstMax : othersMax));
      pieces.push(piece);
      rest = rest.slice(piece.length);
    }
  }
  return pieces;
}

/** How many code units the next piece takes: up to the last clause that fits, else the last word, else what fits. */
function cutOf(text: string, unitsMax: number): number {
  if (text.length <= unitsMax) return text.length;
  const head = text.slice(0, unitsMax);
  const clause = /^[\s\S]{20,}[,;:–—。、，]\s*(?=\S)/u.exec(head)?.[0].length;
  const word = /^[\s\S]*\s(?=\S)/u.exec(head)?.[0].length;
  return clause ?? word ?? withoutHalf(text, unitsMax);
}
