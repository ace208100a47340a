import { AudioError } from '../audioError.ts';
import { WITHOUT_FFMPEG } from '../ffmpeg.ts';
import { expanded } from './companding.ts';
import { Resampler } from './resampler.ts';

const DECODED_SAMPLE_RATE = 16_000;
const SAMPLES_PER_PIECE = 8_000;
const CHUNKS_MAX = 10_000;
const CHANNELS_MAX = 64;
const RATE_MAX = 192_000;
const FORMATS = { 1: 'pcm', 3: 'float', 6: 'alaw', 7: 'ulaw' } as const;
/** The real format is in the extension of the header. */
const EXTENSIBLE = 0xfffe;

interface Sound {
  /** A sample of a frame's channel, from -32768 to 32767. */
  sampleAt: (byte: number) => number;
  channels: number;
  sampleRate: number;
  bytesPerSample: number;
  data: Buffer;
}

/**
 * Decodes a WAV file in memory to 16-bit mono samples at 16 kHz, without FFmpeg: PCM of 8 to 32 bits, floating point, mu-law and A-law.
 * @throws AudioError `no_decoder` for other files and to remove noise, `damaged` and `empty`.
 */
export function* decodeWav(file: Buffer, { removeNoise }: { removeNoise: boolean }): Generator<Int16Array> {
  if (removeNoise) throw new AudioError('no_decoder', `Noise cannot be removed: ${WITHOUT_FFMPEG}.`);
  const { sampleAt, channels, sampleRate, bytesPerSample, data } = readWav(file);
  const frameBytes = channels * bytesPerSample;
  const frames = Math.floor(data.length / frameBytes);
  if (frames === 0) throw new AudioError('empty', 'The file holds no sound that could be read.');
  const resampler = sampleRate === DECODED_SAMPLE_RATE ? undefined : new Resampler(sampleRate, DECODED_SAMPLE_RATE);
  for (let from = 0; from < frames; from += SAMPLES_PER_PIECE) {
    const mono = new Int16Array(Math.min(SAMPLES_PER_PIECE, frames - from));
    for (let index = 0; index < mono.length; index++) {
      const at = (from + index) * frameBytes;
      let sum = 0;
      for (let channel = 0; channel < channels; channel++) sum += sampleAt(at + channel * bytesPerSample);
      mono[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum / channels)));
    }
    yield resampler ? resampler.push(mono) : mono;
  }
  if (resampler) yield resampler.end();
}

function readWav(file: Buffer): Sound {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE')
    throw new AudioError('no_decoder', `Only WAV files can be read: ${WITHOUT_FFMPEG}.`);
  let header: Buffer | undefined;
  let at = 12;
  for (let chunks = 0; at + 8 <= file.length && chunks < CHUNKS_MAX; chunks++) {
    const name = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const content = file.subarray(at + 8, at + 8 + size);
    if (name === 'fmt ') header = content;
    // A streamed file's header leaves the size open, as 0 or as the largest number.
    if (name === 'data' && header) return soundOf(header, size === 0 ? file.subarray(at + 8) : content);
    at += 8 + size + (size & 1);
  }
  throw new AudioError('damaged', 'The WAV file has no sound, or its header is not whole.');
}

function soundOf(header: Buffer, data: Buffer): Sound {
  if (header.length < 16) throw new AudioError('damaged', 'The header of the WAV file is not whole.');
  const tag = header.readUInt16LE(0);
  const kind = FORMATS[(tag === EXTENSIBLE && header.length >= 26 ? header.readUInt16LE(24) : tag) as 1];
  const channels = header.readUInt16LE(2);
  const sampleRate = header.readUInt32LE(4);
  const bits = header.readUInt16LE(14);
  if (channels < 1 || channels > CHANNELS_MAX || sampleRate < 1_000 || sampleRate > RATE_MAX)
    throw new AudioError('damaged', 'The header of the WAV file makes no sense.');
  const sampleAt = readerOf(kind, bits, data);
  if (!sampleAt)
    throw new AudioError('no_decoder', `WAV files of ${bits} bits of this kind cannot be read: ${WITHOUT_FFMPEG}.`);
  return { sampleAt, channels, sampleRate, bytesPerSample: bits / 8, data };
}

function readerOf(kind: string | undefined, bits: number, data: Buffer): Sound['sampleAt'] | undefined {
  const readers: Record<string, Sound['sampleAt']> = {
    pcm8: (at) => (data[at]! - 128) * 256,
    pcm16: (at) => data.readInt16LE(at),
    pcm24: (at) => data.readIntLE(at, 3) / 256,
    pcm32: (at) => data.readInt32LE(at) / 65_536,
    float32: (at) => (data.readFloatLE(at) || 0) * 32_768,
    float64: (at) => (data.readDoubleLE(at) || 0) * 32_768,
    ulaw8: (at) => expanded(data[at]!, 'ulaw'),
    alaw8: (at) => expanded(data[at]!, 'alaw'),
  };
  return readers[`${kind}${bits}`];
}
