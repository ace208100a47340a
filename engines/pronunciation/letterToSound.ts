import { readWordSounds } from '../flite/phones.ts';
import { runInMemory } from '../flite/memoryHost.ts';
import { stressed } from './stress.ts';

/** Flite's sounds in the alphabet of the dictionary. */
const SOUNDS: Record<string, string> = Object.fromEntries(
  (
    'aa=ɑ ae=æ ah=ʌ ao=ɔ aw=W ax=ə axr=əɹ ay=I eh=ɛ er=ɜɹ ey=A ih=ɪ iy=i ow=O oy=Y uh=ʊ uw=u b=b ch=ʧ d=d dh=ð f=f g=ɡ hh=h ' +
    'jh=ʤ k=k l=l m=m n=n ng=ŋ p=p r=ɹ s=s sh=ʃ t=t th=θ v=v w=w y=j z=z zh=ʒ'
  )
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);
const KNOWN_MAX = 5000;

/** The sounds of words that no dictionary has, by Flite's letter-to-sound rules. Each word is computed once. `flite` is its program. */
export function createLetterToSound(flite: () => Promise<WebAssembly.Module>) {
  const worked = new Map<string, string>();

  async function phonesOf(words: string[]): Promise<string[][]> {
    // After a semicolon the voice always pauses.
    const text = words.map((word) => `${word};`).join(' ');
    const { stdout } = await runInMemory(await flite(), ['flite', '-voice', 'kal', '-ps', '-t', text, '-o', 'none']);
    return readWordSounds(stdout);
  }

  /** Computes the words, so that `soundsOf` knows them. */
  async function learn(words: string[]): Promise<void> {
    const fresh = [...new Set(words)].filter((word) => !worked.has(word));
    if (fresh.length === 0) return;
    if (worked.size > KNOWN_MAX) worked.clear();
    const together = await phonesOf(fresh);
    for (const [at, word] of fresh.entries()) {
      const phones = together.length === fresh.length ? together[at]! : (await phonesOf([word])).flat();
      worked.set(word, stressed(phones.map((phone) => SOUNDS[phone] ?? '').join(''), 'ˈ'));
    }
  }

  return { learn, soundsOf: (word: string): string => worked.get(word) ?? '' };
}
