// Filters and encoders run in the caller's thread: pieces of this length block it for three milliseconds at most (AAC, the slowest).
const PIECE_MS = 200;

export interface EncodeOptions {
  /** Tempo factor at unchanged pitch; 0.25 to 4. */
  speed?: number;
}

export interface Piece {
  pcm: Int16Array;
  sampleRate: number;
}

/** Sound that is encoded as it comes, as one stream without seams. `close` must be called: it may own native memory. */
export interface EncodedStream {
  /** The header before the first sound. */
  begin: () => Buffer;
  /** A piece in parts that are short enough for `push`. The first piece decides the sample rate; another one's is converted. */
  slicesOf: (piece: Piece) => Generator<Int16Array>;
  /** Takes a slice, and returns what is ready: nearly all of it. */
  push: (slice: Int16Array) => Buffer;
  /** Returns the rest of the stream. */
  end: () => Buffer;
  close: () => void;
}

/** The samples in parts that are short enough for one `push`. */
export function* slices(samples: Int16Array, sampleRate: number): Generator<Int16Array> {
  const length = Math.ceil((sampleRate * PIECE_MS) / 1000);
  for (let at = 0; at < samples.length; at += length) yield samples.subarray(at, at + length);
}
