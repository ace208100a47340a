/** How many letters must be added, removed or replaced to turn one text into the other (Levenshtein). */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const replaced = row[to - 1]! + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[to]! + 1, next[to - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}

/** The first of the texts with the fewest differences; empty without any. */
export function closest(text: string, texts: readonly string[]): string {
  return texts.reduce((best, one) => (editDistance(text, one) < editDistance(text, best) ? one : best), texts[0] ?? '');
}
