import type { EncodeOptions, Piece } from './encoder.ts';
import type { AudioFormat } from './formats.ts';

/**
 * Sound in `format`, as bytes that can be sent as they come: what is yielded after a piece holds nearly all of that piece.
 * The pieces' sample rate is that of the first one. A WAV file does not know its length at its beginning, and says so as FFmpeg
 * does, with the largest number. No sound gives an empty file of the format.
 * The codecs, a large library, are loaded with the first sound: a process that makes none does without.
 */
export async function* encodeAudio(
  pieces: AsyncIterable<Piece>,
  format: AudioFormat,
  options: EncodeOptions = {},
): AsyncGenerator<Buffer> {
  const { encode } = await import('./encoder.ts');
  // A piece may be too short to give anything yet.
  for await (const bytes of encode(pieces, format, options)) if (bytes.length > 0) yield bytes;
}
