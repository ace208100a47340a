import { describe, expect, test } from '@jest/globals';
import { decodeAudio, encodeAudio } from '../../../calls/audio/audio.ts';
import { VOICE_FORMATS, type AudioFormat } from '../../../calls/audio/formats.ts';
import { companded, expanded } from '../../../calls/audio/plain/companding.ts';
import { PlainStream } from '../../../calls/audio/plain/plainStream.ts';
import { Resampler } from '../../../calls/audio/plain/resampler.ts';
import { decodeWav } from '../../../calls/audio/plain/wavDecoder.ts';
import { collect } from '../../support/streams.ts';
import { loudness, samplesIn, streamOf, tone } from './sounds.ts';

// What an image without FFmpeg uses, compared with FFmpeg.
const never = new AbortController().signal;
const format = (name: string) => VOICE_FORMATS.get(name)!;

function plain(pcm: Int16Array, sampleRate: number, to: AudioFormat): Buffer {
  const stream = new PlainStream(to);
  const parts = [stream.begin()];
  for (const slice of stream.slicesOf({ pcm, sampleRate })) parts.push(stream.push(slice));
  return Buffer.concat([...parts, stream.end()]);
}

const byFfmpeg = async (pcm: Int16Array, sampleRate: number, to: AudioFormat) =>
  Buffer.concat(await collect(encodeAudio(streamOf({ pcm, sampleRate }), to)));

const samplesOf = (bytes: Buffer) =>
  new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));

/** How much quieter the difference is than the sound, in decibels, away from the ends. */
function quieterBy(sound: Int16Array, other: Int16Array): number {
  const length = Math.min(sound.length, other.length);
  const middle = (samples: Int16Array) => samples.subarray(1_000, length - 1_000);
  const difference = middle(sound).map((sample, at) => sample - middle(other)[at]!);
  return 20 * Math.log10(loudness(middle(sound)) / loudness(difference));
}

describe('sound without FFmpeg', () => {
  test.each([
    [16_000, 24_000],
    [24_000, 16_000],
    [22_050, 48_000],
    [44_100, 16_000],
    [24_000, 8_000],
  ])('a voice at %i Hz is the same one at %i Hz', (from, to) => {
    const resampler = new Resampler(from, to);
    const source = tone({ seconds: 2, sampleRate: from });
    const parts = [source.subarray(0, 777), source.subarray(777)].map((part) => resampler.push(part));
    const samples = Int16Array.from([...parts, resampler.end()].flatMap((part) => [...part]));
    expect(Math.abs(samples.length - 2 * to)).toBeLessThanOrEqual(2);
    expect(quieterBy(tone({ seconds: 2, sampleRate: to }), samples)).toBeGreaterThan(60);
  });

  test('what the lower rate cannot carry is left out, and does not return as another tone', () => {
    const high = Int16Array.from({ length: 48_000 }, (_, at) => 10_000 * Math.sin((2 * Math.PI * 7_000 * at) / 24_000));
    expect(loudness(new Resampler(24_000, 8_000).push(high).subarray(200))).toBeLessThan(3);
  });

  test.each(['pcm_24000', 'wav_24000', 'ulaw_8000', 'alaw_8000', 'wav_16000'])(
    '%s is what FFmpeg writes',
    async (name) => {
      const sound = tone({ seconds: 2 });
      const [own, other] = [plain(sound, 16_000, format(name)), await byFfmpeg(sound, 16_000, format(name))];
      expect(Math.abs(own.length - other.length)).toBeLessThanOrEqual(4);
      const { codec } = format(name);
      if (codec === 'wav') expect(own.subarray(0, 44)).toEqual(other.subarray(0, 44));
      const samples = (bytes: Buffer) =>
        codec === 'ulaw' || codec === 'alaw'
          ? Int16Array.from(bytes, (code) => expanded(code, codec))
          : samplesOf(bytes.subarray(codec === 'wav' ? 44 : 0));
      expect(quieterBy(samples(other), samples(own))).toBeGreaterThan(codec.endsWith('law') ? 30 : 55);
    },
  );

  test.each(['mp3_44100_128', 'opus_48000_64'])('%s is refused with what is possible, and what to do', (name) => {
    expect(() => new PlainStream(format(name))).toThrow(
      /^Sound can be written as pcm, wav, ulaw, alaw, not as (mp3|opus): this installation has no FFmpeg\. Operators: /,
    );
    expect(() => new PlainStream(format('pcm_16000'), { speed: 1.5 })).toThrow('The speed cannot be changed');
  });

  test('every code of the telephone network stands for one sample', () => {
    for (const law of ['ulaw', 'alaw'] as const) {
      const samples = Int16Array.from({ length: 256 }, (_, code) => expanded(code, law));
      // mu-law has two codes for silence.
      const codes = [...companded(samples, law)].filter((code, at) => code !== at);
      expect(codes).toEqual(law === 'ulaw' ? [0xff] : []);
    }
  });
});

describe('a WAV file without FFmpeg', () => {
  const read = (file: Buffer) =>
    Int16Array.from([...decodeWav(file, { removeNoise: false })].flatMap((piece) => [...piece]));

  test.each([
    [1, 8],
    [1, 16],
    [1, 24],
    [1, 32],
    [3, 32],
    [3, 64],
    [6, 8],
    [7, 8],
  ])('of kind %i with %i bits is read as FFmpeg reads it', async (tag, bits) => {
    const file = wavOf(tone({ seconds: 1, sampleRate: 22_050 }), { tag, bits, sampleRate: 22_050, channels: 1 });
    const expected = await samplesIn(decodeAudio(streamOf(file), {}, never));
    const found = read(file);
    expect(Math.abs(found.length - expected.length)).toBeLessThanOrEqual(4);
    expect(quieterBy(expected, found)).toBeGreaterThan(45);
  });

  test.each([0, 0xffff_ffff])('whose header leaves its length open (%i) is read to its end', async (declared) => {
    const file = wavOf(tone({ seconds: 1 }), { tag: 1, bits: 16, sampleRate: 16_000, channels: 1 });
    const whole = read(file);
    file.writeUInt32LE(declared, 4);
    file.writeUInt32LE(declared, 40);
    expect(read(file)).toEqual(whole);
    expect((await samplesIn(decodeAudio(streamOf(file), {}, never))).length).toBe(whole.length);
  });

  test('of several channels is their mean', () => {
    const [one, two] = [1, 2].map((channels) =>
      read(wavOf(tone({ seconds: 1 }), { tag: 1, bits: 16, sampleRate: 16_000, channels })),
    );
    expect(two).toEqual(one);
  });

  test.each([
    ['no_decoder', Buffer.from('ID3 some MP3')],
    ['damaged', Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), Buffer.alloc(3)])],
    ['empty', wavOf(new Int16Array(0), { tag: 1, bits: 16, sampleRate: 8_000, channels: 1 })],
  ])('is refused as %s', (reason, file) => {
    expect(() => read(file)).toThrow(expect.objectContaining({ name: 'AudioError', reason }));
  });
});

function wavOf(
  samples: Int16Array,
  { tag, bits, sampleRate, channels }: { tag: number; bits: number; sampleRate: number; channels: number },
): Buffer {
  const bytes = bits / 8;
  const data = Buffer.alloc(samples.length * channels * bytes);
  const write: Record<string, (value: number, at: number) => void> = {
    '1-8': (value, at) => data.writeUInt8((value >> 8) + 128, at),
    '1-16': (value, at) => data.writeInt16LE(value, at),
    '1-24': (value, at) => data.writeIntLE(value * 256, at, 3),
    '1-32': (value, at) => data.writeInt32LE(value * 65_536, at),
    '3-32': (value, at) => data.writeFloatLE(value / 32_768, at),
    '3-64': (value, at) => data.writeDoubleLE(value / 32_768, at),
    '6-8': (value, at) => data.writeUInt8(companded(Int16Array.of(value), 'alaw')[0]!, at),
    '7-8': (value, at) => data.writeUInt8(companded(Int16Array.of(value), 'ulaw')[0]!, at),
  };
  for (const [index, value] of samples.entries())
    for (let channel = 0; channel < channels; channel++)
      write[`${tag}-${bits}`]!(value, (index * channels + channel) * bytes);
  const header = Buffer.alloc(44);
  header.write('RIFF');
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(tag, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * channels * bytes, 28);
  header.writeUInt16LE(channels * bytes, 32);
  header.writeUInt16LE(bits, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}
