import { decodeAudio } from '../../audio/decodeAudio.ts';
import { spoolFile, type SpooledFile } from './spoolFile.ts';

const SAMPLE_RATE = 16_000;
const SAMPLE_BYTES = 2;
const SECONDS_MAX = 4 * 3600;
const BYTES_MAX = SECONDS_MAX * SAMPLE_RATE * SAMPLE_BYTES;

/** The sound of a file, decoded: what it costs and what engines hear follow from these samples, not from what the file says. */
export interface DecodedSound {
  durationMs: number;
  /** Its first milliseconds, all of them unless fewer are said, as mono samples at 16 kHz; as often as it is asked for. */
  samples(lengthMs?: number): AsyncIterable<Int16Array>;
  drop(): Promise<void>;
}

/** Decodes a file into another one on the disk, so that hours of sound take no memory. Throws `AudioError`. */
export async function decodeSound(
  file: SpooledFile,
  { removeNoise, signal }: { removeNoise: boolean; signal: AbortSignal },
): Promise<DecodedSound> {
  const pieces = decodeAudio(file.read(), { removeNoise, limits: { secondsMax: SECONDS_MAX } }, signal);
  const decoded = await spoolFile(bytesOf(pieces), BYTES_MAX);
  const samples = decoded.sizeBytes / SAMPLE_BYTES;
  return {
    durationMs: Math.round((samples * 1000) / SAMPLE_RATE),
    samples: (lengthMs = Infinity) => ({
      [Symbol.asyncIterator]: () => samplesOf(decoded, Math.ceil((lengthMs * SAMPLE_RATE) / 1000)),
    }),
    drop: () => decoded.drop(),
  };
}

async function* bytesOf(pieces: AsyncIterable<Int16Array>): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, byteLength } of pieces) yield Buffer.from(buffer, byteOffset, byteLength);
}

// A file's reads are whole samples but for the last one's end, since they begin at even places and have even sizes.
async function* samplesOf(file: SpooledFile, samplesMax: number): AsyncGenerator<Int16Array> {
  let left = samplesMax;
  for await (const bytes of file.read() as AsyncIterable<Buffer>) {
    const length = Math.min(left, Math.floor(bytes.length / SAMPLE_BYTES));
    if (length === 0) return;
    left -= length;
    yield new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + length * SAMPLE_BYTES) as ArrayBuffer);
  }
}
