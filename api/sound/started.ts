import { encodeAudio } from '../../audio/encodeAudio.ts';
import type { AudioFormat } from '../../audio/formats.ts';
import type { SpeechChunk } from '../../providers/speech.ts';

/** The same chunks, once there is a first one: a file's head, which some formats begin with, is no sign of an engine at work. */
export async function started<T>(items: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  return (await begun(items)).all;
}

/** Sound in the format of the answer: as it came where the upstream has made it so, else encoded. */
export async function* soundIn(format: AudioFormat, chunks: AsyncIterable<SpeechChunk>): AsyncGenerator<Buffer> {
  const { first, all } = await begun(chunks);
  if (!first?.encoded) yield* encodeAudio(all, format);
  else for await (const { encoded } of all) if (encoded && encoded.length > 0) yield encoded;
}

async function begun<T>(items: AsyncIterable<T>): Promise<{ first: T | undefined; all: AsyncIterable<T> }> {
  const rest = items[Symbol.asyncIterator]();
  const first = await rest.next();
  const all = (async function* () {
    if (first.done) return;
    try {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => rest };
    } finally {
      await rest.return?.();
    }
  })();
  return { first: first.done ? undefined : first.value, all };
}
