import { setImmediate } from 'node:timers/promises';
import type { Frame } from 'node-av/lib';
import { wavHeader } from '../../base/wavHeader.ts';
import { CompressedEncoder, encoderFilter, isCompressed } from './compressedEncoder.ts';
import { bytesOf, FilterChain, samplesOf } from './filterChain.ts';
import type { AudioFormat } from './formats.ts';

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

/** See `encodeAudio`. */
export async function* encode(
  pieces: AsyncIterable<Piece>,
  format: AudioFormat,
  options: EncodeOptions,
): AsyncGenerator<Buffer> {
  const stream = new EncodedStream(format, options);
  try {
    yield stream.begin();
    for await (const piece of pieces) {
      for (const slice of stream.slicesOf(piece)) {
        yield stream.push(slice);
        await setImmediate();
      }
    }
    yield stream.end();
  } finally {
    stream.close();
  }
}

/** Sound that is encoded as it comes, as one stream without seams. `close` frees native memory, which the garbage collector does not see. */
export class EncodedStream {
  readonly #format: AudioFormat;
  readonly #speed: number;
  readonly #encoder: CompressedEncoder | undefined;
  #chain: FilterChain | undefined;
  #sampleRate: number | undefined;

  constructor(format: AudioFormat, { speed = 1 }: EncodeOptions = {}) {
    this.#format = format;
    this.#speed = speed;
    this.#encoder = isCompressed(format) ? new CompressedEncoder(format) : undefined;
  }

  /** The header before the first sound. */
  begin(): Buffer {
    const { codec, sampleRate } = this.#format;
    return this.#encoder?.begin() ?? (codec === 'wav' ? wavHeader({ sampleRate }) : Buffer.alloc(0));
  }

  /** A piece in parts that are short enough for `push`. The first piece decides the sample rate; another one's is converted. */
  *slicesOf({ pcm, sampleRate }: Piece): Generator<Int16Array> {
    this.#sampleRate ??= sampleRate;
    const samples = sampleRate === this.#sampleRate ? pcm : resampled(pcm, sampleRate, this.#sampleRate);
    const length = Math.ceil((this.#sampleRate * PIECE_MS) / 1000);
    for (let at = 0; at < samples.length; at += length) yield samples.subarray(at, at + length);
  }

  /** Takes a slice, and returns what is ready: nearly all of it. */
  push(slice: Int16Array): Buffer {
    const filters = () => filtersOf(this.#format, this.#speed, this.#encoder?.samplesPerFrame);
    this.#chain ??= new FilterChain({ sampleRate: this.#sampleRate! }, filters());
    return written(this.#chain.push(slice), this.#format, this.#encoder);
  }

  /** Returns the rest of the stream. */
  end(): Buffer {
    const rest = this.#chain ? written(this.#chain.end(), this.#format, this.#encoder) : Buffer.alloc(0);
    return Buffer.concat([rest, ...(this.#encoder?.end() ?? [])]);
  }

  close(): void {
    this.#chain?.close();
    this.#encoder?.close();
  }
}

/** One piece at another rate: an upstream that takes over in mid-speech may have its own. */
function resampled(pcm: Int16Array, from: number, to: number): Int16Array {
  const form = `aformat=sample_fmts=s16:sample_rates=${to}:channel_layouts=mono`;
  const chain = new FilterChain({ sampleRate: from }, [`aresample=${to}:resampler=swr:filter_size=32`, form]);
  const bytes: Buffer[] = [];
  try {
    for (const frame of chain.push(pcm)) bytes.push(bytesOf(samplesOf(frame)));
    for (const frame of chain.end()) bytes.push(bytesOf(samplesOf(frame)));
  } finally {
    chain.close();
  }
  const { buffer, byteOffset, byteLength } = Buffer.concat(bytes);
  return new Int16Array(buffer.slice(byteOffset, byteOffset + byteLength));
}

function filtersOf(format: AudioFormat, speed: number, samplesPerFrame: number | undefined): string[] {
  const stretch = speed === 1 ? [] : stretches(speed).map((factor) => `atempo=${factor}`);
  const resample = [`aresample=${format.sampleRate}:resampler=swr:filter_size=32`];
  if (!samplesPerFrame) {
    return [...stretch, ...resample, `aformat=sample_fmts=s16:sample_rates=${format.sampleRate}:channel_layouts=mono`];
  }
  return [...stretch, ...resample, encoderFilter(format), `asetnsamples=n=${samplesPerFrame}:p=0`];
}

/** The filter accepts factors from 0.5 to 100, and has the best quality up to 2. */
function stretches(speed: number): number[] {
  if (speed > 2) return [2, ...stretches(speed / 2)];
  return speed < 0.5 ? [0.5, ...stretches(speed * 2)] : [speed];
}

function written(frames: Iterable<Frame>, format: AudioFormat, encoder: CompressedEncoder | undefined): Buffer {
  const bytes: Buffer[] = [];
  for (const frame of frames) {
    if (encoder) bytes.push(...encoder.encode(frame));
    else bytes.push(uncompressed(samplesOf(frame), format));
  }
  return Buffer.concat(bytes);
}

function uncompressed(samples: Int16Array, { codec }: AudioFormat): Buffer {
  return codec === 'ulaw' || codec === 'alaw' ? companded(samples, codec) : bytesOf(samples);
}

/** 16-bit samples as the telephone network's 8-bit ones, by ITU-T G.711. */
export function companded(samples: Int16Array, law: 'ulaw' | 'alaw'): Buffer {
  const table = law === 'ulaw' ? muLawTable() : aLawTable();
  const bytes = Buffer.allocUnsafe(samples.length);
  for (let at = 0; at < samples.length; at++) bytes[at] = table[samples[at]! & 0xffff]!;
  return bytes;
}

let muLaw: Uint8Array | undefined;
let aLaw: Uint8Array | undefined;

const muLawTable = () => (muLaw ??= tableOf(muLawOf));
const aLawTable = () => (aLaw ??= tableOf(aLawOf));

function tableOf(codeOf: (sample: number) => number): Uint8Array {
  return Uint8Array.from({ length: 65_536 }, (_, unsigned) => codeOf((unsigned << 16) >> 16));
}

function muLawOf(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), 32_635) + 132;
  const exponent = 31 - Math.clz32(magnitude) - 7;
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

function aLawOf(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80;
  const magnitude = Math.min(sample < 0 ? ~sample : sample, 32_767) >> 4;
  const exponent = Math.max(0, 31 - Math.clz32(magnitude) - 4);
  const mantissa = exponent === 0 ? magnitude & 0x1f : ((magnitude >> exponent) & 0x0f) | ((exponent + 1) << 4);
  return (sign | mantissa) ^ 0x55;
}
