import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { decodeAudio, type DecodeOptions, encodeAudio } from '../../../calls/audio/audio.ts';
import { TEXT_FORMATS, VOICE_FORMATS } from '../../../calls/audio/formats.ts';
import { wavHeader } from '../../../base/wavHeader.ts';
import { until } from '../../support/until.ts';
import { collect } from '../../support/streams.ts';
import { tone, loudness, noise, samplesIn, streamOf } from './sounds.ts';

const never = new AbortController().signal;
const decoded = (file: Uint8Array, options: DecodeOptions = {}) =>
  samplesIn(decodeAudio(streamOf(file), options, never));
const reasonOf = (decoding: Promise<unknown>) =>
  decoding.then(
    () => 'none',
    (error: { reason?: string; message?: string }) => error.reason ?? error.message,
  );
const filed = async (pcm: Int16Array, name: string) =>
  Buffer.concat(await collect(encodeAudio(streamOf({ pcm, sampleRate: 16_000 }), VOICE_FORMATS.get(name)!)));

let tenMinutes: Promise<Buffer> | undefined;
/** Silence packs to almost nothing: a few kilobytes hold ten minutes. The header claims one second. */
const smallFileOfTenMinutes = (): Promise<Buffer> => (tenMinutes ??= encodeTenMinutes());

async function encodeTenMinutes(): Promise<Buffer> {
  const minute = { pcm: new Int16Array(60 * 16_000), sampleRate: 16_000 };
  const format = { ...TEXT_FORMATS.get('flac')!, sampleRate: 8_000 };
  const file = Buffer.concat(await collect(encodeAudio(streamOf(...Array.from({ length: 10 }, () => minute)), format)));
  file.writeUInt32BE(8_000, 22);
  return file;
}

describe('input that is not audio', () => {
  test.each([
    ['text', Buffer.from('Hello world. '.repeat(100)), 'not_audio'],
    ['JSON', Buffer.from('{"a": 1}'), 'not_audio'],
    ['zeros', Buffer.alloc(100_000), 'not_audio'],
    ['random bytes', Buffer.from(noise({ seconds: 2 }).buffer), 'not_audio'],
    ['a playlist that names a file', Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'), 'not_audio'],
    ['a script that names a file', Buffer.from('ffconcat version 1.0\nfile /etc/passwd\n'), 'not_audio'],
    ['an empty file', Buffer.alloc(0), 'empty'],
    ['a header without samples', wavHeader({ sampleRate: 8_000, sampleCount: 0 }), 'empty'],
  ])('%s is refused with the reason', async (_name, file, reason) => {
    expect(await reasonOf(decoded(file))).toBe(reason);
  });
});

describe('input above a limit', () => {
  test.each([
    ['before', (chunks: Buffer, [head, rest]: Buffer[]) => [head!, chunks, rest!]],
    ['behind', (chunks: Buffer, [head, rest]: Buffer[]) => [head!, rest!, chunks]],
  ])('more chunks than any recorder writes, %s the samples, are refused before they are read', async (_, placed) => {
    const file = Buffer.concat([wavHeader({ sampleRate: 8_000, sampleCount: 800 }), Buffer.alloc(1_600, 1)]);
    const parts = [file.subarray(0, 12), file.subarray(12)];
    const chunks = (count: number) => Buffer.alloc(count * 8, 'JUNK\0\0\0\0', 'latin1');
    expect(await reasonOf(decoded(Buffer.concat(placed(chunks(9_998), parts))))).toBe('none');
    expect(await reasonOf(decoded(Buffer.concat(placed(chunks(9_999), parts))))).toBe('damaged');
  });

  test('a file that declares one second and contains ten minutes counts with its content', async () => {
    const file = await smallFileOfTenMinutes();
    expect(file.length).toBeLessThan(200_000);
    expect((await decoded(file)).length / 16_000).toBeCloseTo(600, 0);
    expect(await reasonOf(decoded(file, { limits: { secondsMax: 60 } }))).toBe('too_long');
  });

  test('is refused also after more was decoded than was read', async () => {
    const decoding = decodeAudio(streamOf(await smallFileOfTenMinutes()), { limits: { secondsMax: 5 } }, never);
    await decoding.next();
    await sleep(500);
    expect(await reasonOf(samplesIn(decoding))).toBe('too_long');
  });

  test('more bytes than allowed are not read', async () => {
    let sent = 0;
    async function* endless() {
      for (;;) yield Buffer.alloc((sent += 10_000) > 0 ? 10_000 : 0);
    }
    const limits = { bytesMax: 1_000_000 };
    expect(await reasonOf(samplesIn(decodeAudio(endless(), { limits }, never)))).toBe('too_large');
    expect(sent).toBeLessThanOrEqual(1_010_000);
  });

  test('decoding has limits of time and memory', async () => {
    const file = await smallFileOfTenMinutes();
    expect(await reasonOf(decoded(file, { limits: { waitMsMax: 1 } }))).toBe('too_slow');
    expect(await reasonOf(decoded(file, { limits: { memoryBytesMax: 10_000_000 } }))).toBe('too_heavy');
  });

  test("a reader that pauses for long does not keep the decoder's memory in use", async () => {
    const before = process.memoryUsage().rss;
    const stream = decodeAudio(streamOf(await smallFileOfTenMinutes()), {}, never);
    for (let piece = 0; piece < 5; piece++) await stream.next();
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
    await stream.return(undefined);
  });
});

describe('the decoding process of a file', () => {
  const decoders = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => commandOf(pid).includes('decoderMain') && commandOf(pid, 'stat').includes(` ${process.pid} `));
  const commandOf = (pid: string, file = 'cmdline') => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return '';
    }
  };

  test("ends when the caller aborts, with the caller's reason", async () => {
    const leaving = new AbortController();
    const stream = decodeAudio(streamOf(await smallFileOfTenMinutes()), {}, leaving.signal);
    await stream.next();
    leaving.abort(new Error('left'));
    await expect(samplesIn(stream)).rejects.toThrow('left');
    await until(() => decoders().length === 0);
  });

  test('is given up when it stops reading its file', async () => {
    async function* file() {
      yield wavHeader({ sampleRate: 8_000 });
      await until(() => decoders().length === 1);
      process.kill(Number(decoders()[0]), 'SIGSTOP');
      yield Buffer.alloc(5_000_000);
    }
    const limits = { waitMsMax: 500 };
    expect(await reasonOf(samplesIn(decodeAudio(file(), { limits }, never)))).toBe('too_slow');
    expect(decoders()).toEqual([]);
  });
});

test('a truncated or damaged file returns its readable parts', async () => {
  const file = await filed(tone({ seconds: 6 }), 'mp3_44100_128');
  expect((await decoded(file.subarray(0, file.length / 2))).length / 16_000).toBeCloseTo(3, 0);
  const holed = Buffer.from(file);
  for (let at = 1_000; at < holed.length; at += 5_000) holed.fill(0x55, at, at + 40);
  expect((await decoded(holed)).length / 16_000).toBeGreaterThan(4);
});

test('removes steady noise and keeps the voice', async () => {
  const hiss = await filed(noise({ seconds: 5, level: 1_500 }), 'wav_16000');
  const voice = await filed(tone({ seconds: 5 }), 'wav_16000');
  expect(loudness(await decoded(hiss, { removeNoise: true }))).toBeLessThan(loudness(await decoded(hiss)) / 2);
  expect(loudness(await decoded(voice, { removeNoise: true }))).toBeGreaterThan(loudness(await decoded(voice)) * 0.6);
});
