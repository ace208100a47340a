import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { encodeAudio } from '../../../calls/audio/audio.ts';
import { TEXT_FORMATS, VOICE_FORMATS } from '../../../calls/audio/formats.ts';
import type { AudioFormat } from '../../../calls/audio/formats.ts';
import { installVenv, runPython } from '../../clients/pythonVenv.ts';
import { describeWithPython } from '../../clients/withPython.ts';
import { collect } from '../../support/streams.ts';
import { tone, loudness, streamOf } from './sounds.ts';

const SECONDS = 6;
const sound = tone({ seconds: SECONDS });
const soundLoudness = loudness(sound) / 2 ** 15;
const setupTimeoutMs = 600_000;

interface DecodedFacts {
  kind: string;
  sampleRate: number;
  channels: number;
  seconds: number;
  loudness: number;
}

/** The name of a format in libsndfile or, for AAC, in FFmpeg's program. Raw samples have no header: they are read by their name's law and rate. */
const kinds: Record<AudioFormat['codec'], string> = {
  mp3: 'MP3 MPEG_LAYER_III',
  opus: 'OGG OPUS',
  aac: 'aac aac (LC)',
  flac: 'FLAC PCM_16',
  wav: 'WAV PCM_16',
  pcm: 'RAW PCM_16',
  ulaw: 'RAW ULAW',
  alaw: 'RAW ALAW',
};

const formats = [
  ...[...VOICE_FORMATS].map(([name, format]) => ({ name, format })),
  ...[...TEXT_FORMATS].map(([name, format]) => ({ name: `openai_${name}`, format })),
];
const fileOf = (name: string, { codec, sampleRate }: AudioFormat) => `${name}.${codec}.${sampleRate}`;

describeWithPython('decoders that are not ours', () => {
  let folder: string;
  let decoded: Record<string, DecodedFacts>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'formats-'));
    const python = await installVenv('venv-audio', 'audio-requirements.txt');
    for (const { name, format } of formats) {
      const pieces = streamOf({ pcm: sound, sampleRate: 16_000 });
      await writeFile(join(folder, fileOf(name, format)), Buffer.concat(await collect(encodeAudio(pieces, format))));
    }
    const { status, output } = await runPython(python, ['decode_sounds.py'], { FOLDER: folder });
    if (status !== 0) throw new Error(output);
    decoded = JSON.parse(output) as Record<string, DecodedFacts>;
  }, setupTimeoutMs);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each(formats)('find the codec, rate, channel and audio of $name', ({ name, format }) => {
    const found = decoded[fileOf(name, format)]!;
    expect(found).toMatchObject({ kind: kinds[format.codec], sampleRate: format.sampleRate, channels: 1 });
    expect(Math.abs(found.seconds / SECONDS - 1)).toBeLessThan(0.02);
    expect(Math.abs(found.loudness / soundLoudness - 1)).toBeLessThan(0.1);
  });
});
