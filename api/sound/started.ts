import { encodeAudio } from '../../audio/encodeAudio.ts';
import type { AudioFormat } from '../../audio/formats.ts';
import { withFirstItem } from '../../providers/fallback.ts';
import type { SpeechChunk } from '../../providers/speech.ts';

/** The same chunks, once there is a first one: a file's head, which some formats begin with, is no sign of an engine at work. */
export async function started<T>(items: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  return (await withFirstItem(items)).items;
}

/** Sound in the format of the answer: as it came where the upstream has made it so, else encoded. */
export async function* soundIn(format: AudioFormat, chunks: AsyncIterable<SpeechChunk>): AsyncGenerator<Buffer> {
  const { first, items } = await withFirstItem(chunks);
  if (!first?.encoded) yield* encodeAudio(items, format);
  else for await (const { encoded } of items) if (encoded && encoded.length > 0) yield encoded;
}
