import { describe, expect, test } from '@jest/globals';
import { decodeAudio, encodeAudio } from '../../../calls/audio/audio.ts';
import { TEXT_FORMATS, VOICE_FORMATS } from '../../../calls/audio/formats.ts';
import type { AudioFormat } from '../../../calls/audio/formats.ts';
import { readSound } from '../../support/sound.ts';
import { collect } from '../../support/streams.ts';
import { tone, loudness, samplesIn, streamOf } from './sounds.ts';

const SECONDS = 6;
const sound = tone({ seconds: SECONDS });
const never = new AbortController().signal;

const encoded = async (format: AudioFormat, speed?: number) =>
  Buffer.concat(await collect(encodeAudio(streamOf({ pcm: sound, sampleRate: 16_000 }), format, { speed })));

const all = [...VOICE_FORMATS, ...[...TEXT_FORMATS].map(([name, format]) => [`OpenAI ${name}`, format] as const)];
const isRaw = ({ codec }: AudioFormat) => ['pcm', 'ulaw', 'alaw'].includes(codec);

describe('every format', () => {
  test('is available: the 28 of ElevenLabs and the six of OpenAI', () => {
    expect(VOICE_FORMATS.size).toBe(28);
    expect([...TEXT_FORMATS.keys()].toSorted()).toEqual(['aac', 'flac', 'mp3', 'opus', 'pcm', 'wav']);
  });

  test.each(all.filter(([, format]) => !isRaw(format)))('%s has the declared type', async (_name, format) => {
    const file = await encoded(format);
    const facts = readSound(file);
    expect(facts).toMatchObject({ codec: format.codec, sampleRate: format.sampleRate, channels: 1 });
    if (format.codec !== 'flac') expect(Math.abs(facts.seconds / SECONDS - 1)).toBeLessThan(0.02);
    // AAC's rate varies around its target; the others keep theirs.
    const tolerance = format.codec === 'aac' ? 0.3 : 0.02;
    if (format.bitrateBps) expect(Math.abs(facts.bitrateBps! / format.bitrateBps - 1)).toBeLessThan(tolerance);
    const decoded = await samplesIn(decodeAudio(streamOf(file), {}, never));
    expect(Math.abs(decoded.length / 16_000 / SECONDS - 1)).toBeLessThan(0.02);
    expect(Math.abs(loudness(decoded) / loudness(sound) - 1)).toBeLessThan(0.1);
  });

  test.each(all.filter(([, format]) => isRaw(format)))(
    '%s has its sample rate in every second',
    async (_name, format) => {
      const bytesPerSample = format.codec === 'pcm' ? 2 : 1;
      const seconds = (await encoded(format)).length / bytesPerSample / format.sampleRate;
      expect(Math.abs(seconds / SECONDS - 1)).toBeLessThan(0.001);
    },
  );

  test.each(['mp3_44100_128', 'opus_48000_64', 'wav_24000'])(
    '%s goes on when a piece has another sample rate: an upstream that takes over has its own',
    async (name) => {
      const other = tone({ seconds: SECONDS, sampleRate: 24_000 });
      const pieces = streamOf({ pcm: sound, sampleRate: 16_000 }, { pcm: other, sampleRate: 24_000 });
      const file = Buffer.concat(await collect(encodeAudio(pieces, VOICE_FORMATS.get(name)!)));
      expect(Math.abs(readSound(file).seconds / (2 * SECONDS) - 1)).toBeLessThan(0.02);
      const decoded = await samplesIn(decodeAudio(streamOf(file), {}, never));
      expect(Math.abs(loudness(decoded) / loudness(sound) - 1)).toBeLessThan(0.1);
    },
  );

  test.each([
    ['ulaw_8000', 7],
    ['alaw_8000', 6],
  ])('%s is decoded by FFmpeg to the same audio', async (name, wavCode) => {
    const data = await encoded(VOICE_FORMATS.get(name)!);
    const header = Buffer.alloc(44);
    header.write('RIFF\xff\xff\xff\x7fWAVEfmt ', 'latin1');
    header.writeUInt32LE(16, 16);
    for (const [at, value] of [wavCode, 1, 8_000, 0, 8_000, 0, 1, 8].entries())
      header.writeUInt16LE(value, 20 + at * 2);
    header.write('data', 36, 'latin1');
    header.writeUInt32LE(data.length, 40);
    const decoded = await samplesIn(decodeAudio(streamOf(Buffer.concat([header, data])), {}, never));
    expect(Math.abs(loudness(decoded) / loudness(sound) - 1)).toBeLessThan(0.05);
  });
});

test.each(['mp3_44100_128', 'opus_48000_64', 'pcm_24000', 'wav_44100', 'ulaw_8000'])(
  '%s is sent while its audio is still being produced',
  async (name) => {
    let isWaiting = false;
    const gate = Promise.withResolvers<void>();
    async function* slow() {
      yield { pcm: sound, sampleRate: 16_000 };
      isWaiting = true;
      await gate.promise;
    }
    const stream = encodeAudio(slow(), VOICE_FORMATS.get(name)!);
    let bytes = 0;
    while (bytes < 4_000) bytes += (await stream.next()).value!.length;
    expect(isWaiting).toBe(false);
    gate.resolve();
    await stream.return(undefined);
  },
);

test.each([0.25, 0.5, 1.5, 4])('at a speed of %d the duration changes accordingly', async (speed) => {
  const { length } = await encoded(VOICE_FORMATS.get('pcm_16000')!, speed);
  expect(Math.abs(length / 2 / 16_000 / (SECONDS / speed) - 1)).toBeLessThan(0.03);
});

test('no audio gives an empty file of its format', async () => {
  const empty = await collect(encodeAudio(streamOf(), VOICE_FORMATS.get('wav_16000')!));
  expect(Buffer.concat(empty)).toHaveLength(44);
  const opus = Buffer.concat(await collect(encodeAudio(streamOf(), VOICE_FORMATS.get('opus_48000_32')!)));
  expect(opus.toString('latin1', 0, 4)).toBe('OggS');
});
