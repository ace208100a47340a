/** One sound of the synthesiser's alphabet, and its time. */
export interface Phone {
  name: string;
  startMs: number;
  endMs: number;
}

/** Parses the output of `-psdur`: each sound with the time of its end. Pauses are left out. `rate` is the playback speed. */
export function readPhones(printed: string, rate: number): Phone[] {
  const phones: Phone[] = [];
  let startMs = 0;
  for (const item of printed.split(/\s+/).filter(Boolean)) {
    const [name, seconds] = item.split(':') as [string, string];
    const endMs = (Number(seconds) * 1000) / rate;
    phones.push({ name, startMs, endMs });
    startMs = endMs;
  }
  return phones.filter(({ name }) => name !== 'pau');
}

/** Parses the output of `-ps` for words with a pause after each: the sounds of each word, in order. */
export function readWordSounds(printed: string): string[][] {
  return printed
    .trim()
    .split(/(?:^|\s)pau(?=\s|$)/)
    .map((word) => word.trim().split(/\s+/).filter(Boolean))
    .filter((word) => word.length > 0);
}
