const PRIMARY = 'ˈ';
const SECONDARY = 'ˌ';
const VOWEL = /[AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ]/;

/** Whether a row of sounds begins with a vowel; undefined if it has no sound. */
export function beginsWithVowel(sounds: string): boolean | undefined {
  const first = /(?![ˈˌː])[\p{L}ᵊᵻ]/u.exec(sounds)?.[0];
  return first === undefined ? undefined : VOWEL.test(first);
}

/** The sounds with a stress on the first vowel, unless they already have one. */
export function stressed(sounds: string, mark: typeof PRIMARY | typeof SECONDARY): string {
  if (/[ˈˌ]/.test(sounds)) return sounds;
  const at = sounds.search(VOWEL);
  return at < 0 ? sounds : sounds.slice(0, at) + mark + sounds.slice(at);
}

/** Initials read as letters: the last one carries the stress. */
export function stressedAtEnd(letters: string[]): string {
  return letters
    .map((sounds, at) => sounds.replaceAll(/[ˈˌ]/g, at === letters.length - 1 ? PRIMARY : SECONDARY))
    .join('');
}
