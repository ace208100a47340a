import { decodeAudio } from '../audio/audio.ts';
import { createPlaces, PlacesFull } from '../../base/places.ts';
import { overloaded } from '../../base/errors/serviceErrors.ts';
import { spoolFile, type SpooledFile } from './spoolFile.ts';

const SAMPLE_RATE = 16_000;
const SAMPLE_BYTES = 2;
export const SOUND_SECONDS_MAX = 4 * 3600;
const BYTES_MAX = SOUND_SECONDS_MAX * SAMPLE_RATE * SAMPLE_BYTES;

/**
 * Limits on concurrent decoders, in total and per key: each may take a core for a minute and 600 MB of memory before its caller has paid.
 */
const places = createPlaces({ atOnce: 4, perCaller: 2, waitingMax: 256 });

/** The decoded audio of a file. Price and engines use these samples, not the file's own header. */
export interface DecodedSound {
  durationMs: number;
  /** Whether the file is longer than the decoded part. */
  isCut: boolean;
  /** Its first `lengthMs`, all of it by default, as mono samples at 16 kHz. May be read repeatedly. */
  samples(lengthMs?: number): AsyncIterable<Int16Array>;
  drop(): Promise<void>;
}

interface Decoding {
  /** The key to which the decoder counts. */
  keyId: string;
  removeNoise: boolean;
  /** Decoding stops here: a few kilobytes can contain hours. */
  lengthMaxMs?: number;
  signal: AbortSignal;
}

/**
 * Decodes a file into another file on disk, so that long audio takes no memory. Throws `AudioError`, and 503 `overloaded` when too many
 * files wait.
 */
export async function decodeSound(file: SpooledFile, decoding: Decoding): Promise<DecodedSound> {
  const { keyId: caller, signal } = decoding;
  try {
    return await places.run(() => decode(file, decoding), { caller, signal });
  } catch (error) {
    throw error instanceof PlacesFull ? overloaded(2_000, 'too many sounds wait to be decoded') : error;
  }
}

async function decode(
  file: SpooledFile,
  { removeNoise, lengthMaxMs = Infinity, signal }: Decoding,
): Promise<DecodedSound> {
  const pieces = decodeAudio(file.read(), { removeNoise, limits: { secondsMax: SOUND_SECONDS_MAX } }, signal);
  const samplesMax = (lengthMaxMs * SAMPLE_RATE) / 1000;
  let isCut = false;
  const decoded = await spoolFile(
    bytesOf(pieces, samplesMax, () => (isCut = true)),
    BYTES_MAX,
  );
  const samples = decoded.sizeBytes / SAMPLE_BYTES;
  return {
    durationMs: Math.round((samples * 1000) / SAMPLE_RATE),
    isCut,
    samples: (lengthMs = Infinity) => ({
      [Symbol.asyncIterator]: () => samplesOf(decoded, Math.ceil((lengthMs * SAMPLE_RATE) / 1000)),
    }),
    drop: () => decoded.drop(),
  };
}

async function* bytesOf(
  pieces: AsyncIterable<Int16Array>,
  samplesMax: number,
  onCut: () => void,
): AsyncGenerator<Buffer> {
  let left = samplesMax;
  for await (const { buffer, byteOffset, length } of pieces) {
    const taken = Math.min(length, Math.ceil(left));
    if (taken > 0) yield Buffer.from(buffer, byteOffset, taken * SAMPLE_BYTES);
    left -= taken;
    if (taken === length) continue;
    // Returning ends the decoder.
    onCut();
    return;
  }
}

// Reads have even positions and sizes, so only the last one can end with a partial sample.
async function* samplesOf(file: SpooledFile, samplesMax: number): AsyncGenerator<Int16Array> {
  let left = samplesMax;
  for await (const bytes of file.read() as AsyncIterable<Buffer>) {
    const length = Math.min(left, Math.floor(bytes.length / SAMPLE_BYTES));
    if (length === 0) return;
    left -= length;
    yield new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + length * SAMPLE_BYTES) as ArrayBuffer);
  }
}
