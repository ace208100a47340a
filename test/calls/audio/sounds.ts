/** A second of voice-like audio for each second: a few overtones of varying strength. */
export function tone({
  seconds,
  sampleRate = 16_000,
  pitchHz = 150,
}: {
  seconds: number;
  sampleRate?: number;
  pitchHz?: number;
}) {
  return Int16Array.from({ length: seconds * sampleRate }, (_, at) => {
    const t = at / sampleRate;
    const swell = 0.6 + 0.4 * Math.sin(2 * Math.PI * 3 * t);
    return [1, 2, 3, 4].reduce((sum, n) => sum + (swell * 4000 * Math.sin(2 * Math.PI * n * pitchHz * t)) / n, 0);
  });
}

export function noise({
  seconds,
  level = 8_000,
  sampleRate = 16_000,
}: {
  seconds: number;
  level?: number;
  sampleRate?: number;
}) {
  let state = 1;
  return Int16Array.from({ length: seconds * sampleRate }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32 - 0.5) * 2 * level;
  });
}

export async function* streamOf<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

/** All samples of a stream as one. */
export async function samplesIn(stream: AsyncIterable<Int16Array>): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  const all = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Its loudness: the root of the mean square. */
export function loudness(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}
