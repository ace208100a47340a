import type { Frame } from 'node-av/lib';
import { wavHeader } from '../../base/wavHeader.ts';
import { CompressedEncoder, encoderFilter, isCompressed } from './compressedEncoder.ts';
import { bytesOf, FilterChain, samplesOf } from './filterChain.ts';
import type { EncodedStream, EncodeOptions, Piece } from './encodedStream.ts';
import { slices } from './encodedStream.ts';
import type { AudioFormat } from './formats.ts';
import { companded } from './plain/companding.ts';

/** A stream that FFmpeg encodes. `close` frees native memory, which the garbage collector does not see. */
export class FfmpegStream implements EncodedStream {
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
    yield* slices(samples, this.#sampleRate);
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
