import { wavHeader } from '../../base/wavHeader.ts';
import { ProviderError } from '../provider.ts';

const RATE = 16_000;
// An upload needs a known length, so the audio is buffered completely.
const MINUTES_MAX = 35;
const SAMPLES_MAX = MINUTES_MAX * 60 * RATE;

/** Little-endian 16-bit samples from bytes that may be cut anywhere. */
export async function* samplesFrom(bytes: AsyncIterable<Buffer>): AsyncGenerator<Int16Array> {
  const samplesOf = sampleReader();
  for await (const chunk of bytes) {
    const samples = samplesOf(chunk);
    if (samples.length > 0) yield samples;
  }
}

/** Reads such bytes chunk by chunk; a sample that a chunk cuts comes with the next one. */
export function sampleReader(): (bytes: Buffer) => Int16Array {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    const joined = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
    const length = joined.length & ~1;
    rest = joined.subarray(length);
    // A copy, since samples must begin at an even address.
    return new Int16Array(joined.buffer.slice(joined.byteOffset, joined.byteOffset + length) as ArrayBuffer);
  };
}

/** Mono samples at 16 kHz as one WAV file, and their duration. Throws `ProviderError` (refused) when it is too long to send. */
export async function wavFileOf(audio: AsyncIterable<Int16Array>): Promise<{ file: Blob; seconds: number }> {
  const parts: ArrayBuffer[] = [];
  let samples = 0;
  for await (const piece of audio) {
    samples += piece.length;
    if (samples > SAMPLES_MAX) {
      const message = `The audio is longer than the ${MINUTES_MAX} minutes that this model can take.`;
      throw new ProviderError('refused', 'the audio is too long to be sent on', { status: 413, detail: { message } });
    }
    parts.push(piece.slice().buffer);
  }
  return {
    file: new Blob([new Uint8Array(wavHeader({ sampleRate: RATE, sampleCount: samples })), ...parts], {
      type: 'audio/wav',
    }),
    seconds: samples / RATE,
  };
}
