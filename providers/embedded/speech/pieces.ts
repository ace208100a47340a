// The first piece is short, so that sound starts early; the others are long enough to sound like sentences.
const FIRST_PIECE_MAX = 80;
const PIECE_MAX = 240;
// Longer than the longest abbreviation with its full stop and the text before it.
const END_CHARS = 8;

// Made for the first text: reading its rules is a fortieth of the API's start.
let sentences: Intl.Segmenter | undefined;
const ABBREVIATION = /(^|[\s(])(mr|mrs|ms|dr|prof|st|sr|jr|vs|no|fig|e\.g|i\.e|[a-z])\.\s*$/i;

/** Cuts text where a speaker pauses: after sentences, in a long one after clauses, else between words. Joined, the pieces are the text. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (const sentence of joinedSentences(text)) {
    let rest = sentence;
    while (rest !== '') {
      const piece = rest.slice(0, cutOf(rest, pieces.length === 0 ? FIRST_PIECE_MAX : PIECE_MAX));
      pieces.push(piece);
      rest = rest.slice(piece.length);
    }
  }
  return pieces;
}

/** Sentences, without the false ends after abbreviations; what holds no letter goes with what is before it. */
function joinedSentences(text: string): string[] {
  const joined: string[] = [];
  let end = '';
  sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  for (const { segment } of sentences.segment(text)) {
    const belongsToLast = joined.length > 0 && (!/[\p{L}\p{N}]/u.test(segment) || ABBREVIATION.test(end));
    if (belongsToLast) joined[joined.length - 1] += segment;
    else joined.push(segment);
    end = endOf(belongsToLast ? end + segment : segment);
  }
  return joined;
}

// As much as an abbreviation needs: a sentence may be as long as the text, and is looked at once for each of its parts.
function endOf(sentence: string): string {
  const words = sentence.trimEnd();
  return words.slice(-END_CHARS) + (words.length < sentence.length ? ' ' : '');
}

/** How many code units the next piece takes: up to the last clause that fits, else the last word, else what fits. */
function cutOf(text: string, unitsMax: number): number {
  if (text.length <= unitsMax) return text.length;
  const head = text.slice(0, unitsMax);
  const clause = /^[\s\S]{20,}[,;:–—。、，]\s*(?=\S)/u.exec(head)?.[0].length;
  const word = /^[\s\S]*\s(?=\S)/u.exec(head)?.[0].length;
  return clause ?? word ?? withoutHalf(text, unitsMax);
}

/** Two code units of one character stay together. */
function withoutHalf(text: string, units: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(units - 1)) ? units - 1 : units;
}
