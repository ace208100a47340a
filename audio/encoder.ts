import { setImmediate } from 'node:timers/promises';
import type { Frame } from 'node-av/lib';
import { wavHeader } from '../base/wavHeader.ts';
import { CompressedEncoder, encoderFilter, isCompressed } from './compressedEncoder.ts';
import { bytesOf, FilterChain, samplesOf } from './filterChain.ts';
import type { AudioFormat } from './formats.ts';

// Filters and encoders run where they are called: pieces of this length keep others waiting for three milliseconds at most (AAC, the slowest).
const PIECE_MS = 200;

export interface EncodeOptions {
  /** Faster or slower by this factor at the same pitch; 0.25 to 4. */
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
  { speed = 1 }: EncodeOptions,
): AsyncGenerator<Buffer> {
  const encoder = isCompressed(format) ? new CompressedEncoder(format) : undefined;
  let chain: FilterChain | undefined;
  try {
    if (encoder) yield encoder.begin();
    if (format.codec === 'wav') yield wavHeader({ sampleRate: format.sampleRate });
    for await (const { pcm, sampleRate } of pieces) {
      chain ??= new FilterChain({ sampleRate }, filtersOf(format, speed, encoder?.samplesPerFrame));
      for (const slice of slicesOf(pcm, sampleRate)) {
        yield written(chain.push(slice), format, encoder);
        await setImmediate();
      }
    }
    if (chain) yield written(chain.end(), format, encoder);
    if (encoder) yield Buffer.concat(encoder.end());
  } finally {
    chain?.close();
    encoder?.close();
  }
}

function filtersOf(format: AudioFormat, speed: number, samplesPerFrame: number | undefined): string[] {
  const stretch = speed === 1 ? [] : stretches(speed).map((factor) => `atempo=${factor}`);
  const resample = [`aresample=${format.sampleRate}:resampler=swr:filter_size=32`];
  if (!samplesPerFrame) {
    return [...stretch, ...resample, `aformat=sample_fmts=s16:sample_rates=${format.sampleRate}:channel_layouts=mono`];
  }
  return [...stretch, ...resample, encoderFilter(format), `asetnsamples=n=${samplesPerFrame}:p=0`];
}

/** The filter takes factors from a half to a hundred, and sounds best up to two. */
function stretches(speed: number): number[] {
  if (speed > 2) return [2, ...stretches(speed / 2)];
  return speed < 0.5 ? [0.5, ...stretches(speed * 2)] : [speed];
}

function* slicesOf(pcm: Int16Array, sampleRate: number): Generator<Int16Array> {
  const length = Math.ceil((sampleRate * PIECE_MS) / 1000);
  for (let at = 0; at < pcm.length; at += length) yield pcm.subarray(at, at + length);
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
