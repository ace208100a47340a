import { ProviderError } from '../provider.ts';

const RATE = 16_000;
// 35 minutes. An upload's length must be known before it is sent, so the audio is buffered completely.
const SAMPLES_MAX = 35 * 60 * RATE;
const HEADER_BYTES = 44;

/** Little-endian 16-bit samples from bytes that may be cut anywhere. */
export async function* samplesFrom(bytes: AsyncIterable<Buffer>): AsyncGenerator<Int16Array> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const joined = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const length = joined.length & ~1;
    rest = joined.subarray(length);
    if (length > 0) yield samplesOf(joined.subarray(0, length));
  }
}

/** A copy, since samples must begin at an even address. */
export function samplesOf(bytes: Buffer): Int16Array {
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~1)) as ArrayBuffer);
}

/** Mono samples at 16 kHz as one WAV file, and their duration. Throws `ProviderError` (refused) when it is too long to send. */
export async function wavFileOf(audio: AsyncIterable<Int16Array>): Promise<{ file: Blob; seconds: number }> {
  const parts: ArrayBuffer[] = [];
  let samples = 0;
  for await (const piece of audio) {
    samples += piece.length;
    if (samples > SAMPLES_MAX) {
      const message = 'The audio is longer than the 35 minutes that this model can take.';
      throw new ProviderError('refused', 'the audio is too long to be sent on', { status: 413, detail: { message } });
    }
    parts.push(piece.slice().buffer);
  }
  return { file: new Blob([header(samples), ...parts], { type: 'audio/wav' }), seconds: samples / RATE };
}

function header(samples: number): ArrayBuffer {
  const bytes = Buffer.from(new ArrayBuffer(HEADER_BYTES));
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(HEADER_BYTES - 8 + samples * 2, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(RATE, 24);
  bytes.writeUInt32LE(RATE * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(samples * 2, 40);
  return bytes.buffer;
}
