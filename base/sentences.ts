// Longer than the longest abbreviation with its full stop and the text before it.
const END_CHARS = 8;

// Created for the first text: reading its rules takes a fortieth of the API's start.
let sentences: Intl.Segmenter | undefined;
const ABBREVIATION = /(^|[\s(])(mr|mrs|ms|dr|prof|st|sr|jr|vs|no|fig|e\.g|i\.e|[a-z])\.\s*$/i;

/**
 * The sentences of a text, without false ends after abbreviations; a part without letters joins the sentence before it. Joined, they are
 * the text.
 */
export function sentencesOf(text: string): string[] {
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

/** Whether a text ends with a whole sentence: an unfinished one may continue with the next text. */
export function endsSentence(text: string): boolean {
  if (text.slice(text.trimEnd().length).includes('\n')) return true;
  const end = endOf(text);
  return /([.!?…][)\]"'”’»]* |[。！？][）」』”]* ?)$/u.test(end) && !ABBREVIATION.test(end);
}

// Enough for an abbreviation: a sentence may be as long as the text, and is checked once for each of its parts.
function endOf(sentence: string): string {
  const words = sentence.trimEnd();
  return words.slice(-END_CHARS) + (words.length < sentence.length ? ' ' : '');
}

/** A length at which a text may be cut: surrogate pairs stay whole. */
export const withoutHalf = (text: string, units: number): number =>
  /[\ud800-\udbff]/.test(text.charAt(units - 1)) ? units - 1 : units;

/** A text of others as a sentence, so that another one may follow it. */
export function asSentence(text: string): string {
  const said = text.trimEnd();
  return /[.!?…。！？][)\]"'”’»）」』”]*$/u.test(said) ? said : `${said}.`;
}

/** A text with a capital as its first letter. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `1 run`, `0.4 days`: a count with its noun. */
export const countText = (count: string | number, noun: string): string =>
  `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;
