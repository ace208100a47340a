import { spawnSync } from 'node:child_process';
import { fetchRecogniser } from '../../engines/transcription/pocketsphinx.ts';
import { testWhen } from './needs.ts';

/** The headers of an audio file, parsed by the formats' specifications, without the library that wrote it. */
interface SoundFacts {
  codec: string;
  sampleRate: number;
  channels: number;
  seconds: number;
  /** The sample rate of the audio itself, if the format has one. */
  bitrateBps?: number;
}

/** Reads MP3, Ogg Opus, AAC (ADTS), FLAC and WAV. Throws for anything else, and for an inconsistent file. */
export function readSound(file: Buffer): SoundFacts {
  const magic = file.toString('latin1', 0, 4);
  if (magic === 'OggS') return readOgg(file);
  if (magic === 'fLaC') return readFlac(file);
  if (magic === 'RIFF') return readWav(file);
  if (file[0] === 0xff && (file[1]! & 0xf6) === 0xf0) return readAdts(file);
  if (file[0] === 0xff && (file[1]! & 0xe0) === 0xe0) return readMp3(file);
  throw new Error(`not a known sound: ${file.toString('hex', 0, 8)}`);
}

const mp3Rates = { 3: [44_100, 48_000, 32_000], 2: [22_050, 24_000, 16_000], 0: [11_025, 12_000, 8_000] };
const mp3Kbps = {
  3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  0: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** Walks from frame to frame (ISO 11172-3, 13818-3). */
function readMp3(file: Buffer): SoundFacts {
  let at = 0;
  let samples = 0;
  let sampleRate = 0;
  let channels = 0;
  while (at + 4 <= file.length) {
    const head = file.readUInt32BE(at);
    const version = ((head >> 19) & 3) as 0 | 2 | 3;
    if (head >>> 21 !== 0x7ff || ((head >> 17) & 3) !== 1) throw new Error(`no MP3 frame at ${at}`);
    const kbps = mp3Kbps[version][(head >> 12) & 15]!;
    sampleRate = mp3Rates[version][(head >> 10) & 3]!;
    channels = ((head >> 6) & 3) === 3 ? 1 : 2;
    const perFrame = version === 3 ? 1152 : 576;
    at += Math.floor((perFrame / 8) * 1000 * (kbps / sampleRate)) + ((head >> 9) & 1);
    samples += perFrame;
  }
  return { codec: 'mp3', sampleRate, channels, ...timed(samples / sampleRate, file.length) };
}

const adtsRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000];

/** Walks from frame to frame (ISO 13818-7). */
function readAdts(file: Buffer): SoundFacts {
  let at = 0;
  let frames = 0;
  while (at + 7 <= file.length) {
    if (file.readUInt16BE(at) >> 4 !== 0xfff) throw new Error(`no ADTS frame at ${at}`);
    at += ((file[at + 3]! & 3) << 11) | (file[at + 4]! << 3) | (file[at + 5]! >> 5);
    frames += 1;
  }
  const sampleRate = adtsRates[(file[2]! >> 2) & 15]!;
  const channels = ((file[2]! & 1) << 2) | (file[3]! >> 6);
  return { codec: 'aac', sampleRate, channels, ...timed((frames * 1024) / sampleRate, file.length) };
}

/** The pages of an Ogg stream (RFC 3533). Throws when one does not follow the previous one. */
export function oggPagesOf(file: Buffer) {
  const pages: { flags: number; granules: number; serial: number; sequence: number; bytes: number }[] = [];
  for (let at = 0; at < file.length;) {
    if (file.toString('latin1', at, at + 4) !== 'OggS') throw new Error(`no Ogg page at ${at}`);
    const segments = file[at + 26]!;
    const bytes = file.subarray(at + 27, at + 27 + segments).reduce((sum, length) => sum + length, 0);
    pages.push({
      flags: file[at + 5]!,
      granules: Number(file.readBigInt64LE(at + 6)),
      serial: file.readUInt32LE(at + 14),
      sequence: file.readUInt32LE(at + 18),
      bytes,
    });
    at += 27 + segments + bytes;
  }
  return pages;
}

/** The Opus header of the first page, and the time of the last (RFC 7845). */
function readOgg(file: Buffer): SoundFacts {
  const pages = oggPagesOf(file);
  const soundBytes = pages.reduce((sum, { granules, bytes }) => sum + (granules > 0 ? bytes : 0), 0);
  const head = file.indexOf('OpusHead');
  const skipped = file.readUInt16LE(head + 10);
  const seconds = (pages.at(-1)!.granules - skipped) / 48_000;
  return { codec: 'opus', sampleRate: 48_000, channels: file[head + 9]!, ...timed(seconds, soundBytes) };
}

/** The metadata block at the beginning (RFC 9639); a stream leaves its length open there. */
function readFlac(file: Buffer): SoundFacts {
  const facts = file.readUInt32BE(18);
  return { codec: 'flac', sampleRate: facts >>> 12, channels: ((facts >> 9) & 7) + 1, seconds: Number.NaN };
}

function readWav(file: Buffer): SoundFacts {
  const dataAt = file.indexOf('data');
  const sampleRate = file.readUInt32LE(24);
  const codec = file.readUInt16LE(20) === 1 && file.readUInt16LE(34) === 16 ? 'wav' : 'unknown';
  return { codec, sampleRate, channels: file.readUInt16LE(22), seconds: (file.length - dataAt - 8) / 2 / sampleRate };
}

function timed(seconds: number, bytes: number) {
  return { seconds, bitrateBps: (bytes * 8) / seconds };
}

const hasPython = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;

/** A test that needs the recogniser, skipped on a machine without it. */
export const testWithRecogniser = testWhen(hasPython, 'Python with pip');

/** Installs the embedded recogniser where the API looks for it, once for all tests, if the machine supports it. */
export async function makeRecogniser(): Promise<void> {
  if (hasPython) await fetchRecogniser({ dataDir: '.data', onProgress: () => {} });
}
