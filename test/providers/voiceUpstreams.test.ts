import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { encodeAudio } from '../../calls/audio/audio.ts';
import { TEXT_FORMATS } from '../../calls/audio/formats.ts';
import { createElevenLabs } from '../../providers/elevenlabs.ts';
import { createOpenAiAudio } from '../../providers/openaiAudio.ts';
import { listen } from '../../rules/scripted/startScripted.ts';
import type { TranscriptionEvent } from '../../providers/speech.ts';
import { tone, streamOf } from '../calls/audio/sounds.ts';
import { collect } from '../support/streams.ts';
import { until } from '../support/until.ts';

const never = new AbortController().signal;
const limits = { idleTimeoutMs: 200_000, answerTimeoutMs: 200_000, connectTimeoutMs: 200_000, connectionsMax: 4 };
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** An upstream with the given listener, and a client of each kind for it. */
async function stage(answer: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const { url, stop } = await listen(0, (request, response) => void answer(request, response));
  const openai = createOpenAiAudio({ baseUrl: `${url}/v1`, apiKey: 'sk-up', ...limits });
  const elevenlabs = createElevenLabs({ baseUrl: url, apiKey: 'xi-up', ...limits });
  ends.push(stop, openai.close, elevenlabs.close);
  return { openai, elevenlabs };
}

const sound = Buffer.from(tone({ seconds: 1, sampleRate: 24_000 }).buffer);
const line = (text: string) =>
  `${JSON.stringify({
    audio_base64: sound.toString('base64'),
    alignment: {
      characters: Array.from(text),
      character_start_times_seconds: Array.from(text, (_, at) => at / 10),
      character_end_times_seconds: Array.from(text, (_, at) => (at + 1) / 10),
    },
  })}\n`;

/** A tone of this many seconds in one of OpenAI's formats. */
async function encoded(codec: string, seconds: number): Promise<Buffer> {
  const pcm = tone({ seconds, sampleRate: 24_000 });
  const pieces = (async function* () {
    yield { pcm, sampleRate: 24_000 };
  })();
  return Buffer.concat(await collect(encodeAudio(pieces, TEXT_FORMATS.get(codec)!)));
}

async function bodyOf(request: AsyncIterable<Buffer>): Promise<string> {
  return Buffer.concat(await collect(request)).toString('latin1');
}

describe('speech', () => {
  test('of an OpenAI-compatible upstream arrives in pieces, also of odd size, and counts the whole text', async () => {
    let asked: unknown;
    const { openai } = await stage(async (request, response) => {
      asked = [request.url, request.headers.authorization, JSON.parse(await bodyOf(request))];
      response.write(sound.subarray(0, 1_001));
      response.end(sound.subarray(1_001));
    });
    const input = { text: 'Hello there, friend.', voice: 'nova', model: 'tts-1', speed: 1.5, instructions: 'Softly.' };
    const chunks = await collect(openai.speak(input, never));
    expect(asked).toEqual([
      '/v1/audio/speech',
      'Bearer sk-up',
      { model: 'tts-1', input: input.text, voice: 'nova', response_format: 'pcm', speed: 1.5, instructions: 'Softly.' },
    ]);
    const received = Buffer.concat(chunks.map(({ pcm }) => Buffer.from(pcm.buffer)));
    expect(received.equals(sound)).toBe(true);
    expect(chunks.reduce((sum, { characters }) => sum + characters, 0)).toBe(input.text.length);
  });

  test.each([
    ['mp3', 'mp3'],
    ['opus', 'opus'],
    ['aac', 'aac'],
    ['flac', 'pcm'],
    ['wav', 'pcm'],
    ['pcm', 'pcm'],
  ])("for a caller of OpenAI's %s is requested as %s, and its characters follow the audio", async (codec, asked) => {
    const bytes = await encoded(asked, 2);
    let format: unknown;
    const { openai } = await stage(async (request, response) => {
      format = (JSON.parse(await bodyOf(request)) as { response_format: string }).response_format;
      response.write(bytes.subarray(0, bytes.length / 2));
      setTimeout(() => response.end(bytes.subarray(bytes.length / 2)), 50);
    });
    const text = 'Fifteen characters are spoken in a second, about.';
    const chunks = await collect(openai.speak({ text, voice: 'nova', codec }, never));
    expect(format).toBe(asked);
    const isEncoded = asked !== 'pcm';
    const sounds = chunks.map(({ encoded: own, pcm }) => own ?? Buffer.from(pcm.buffer));
    expect(chunks.every((chunk) => (chunk.encoded !== undefined) === isEncoded)).toBe(true);
    expect(Buffer.concat(sounds).equals(bytes)).toBe(true);
    const counts = chunks.map(({ characters }) => characters);
    const spoken = counts.slice(0, -1).reduce((sum, characters) => sum + characters, 0);
    expect(Math.abs(spoken - 30)).toBeLessThanOrEqual(2);
    expect(spoken + counts.at(-1)!).toBe(text.length);
  });

  test.each([
    ['refuses a format', 400, '{"error":{"message":"Only pcm.","param":"response_format"}}'],
    ['sends another format', 200, 'RIFF'.padEnd(100, '.')],
  ])('of an OpenAI-compatible upstream that %s is requested as samples, and stays so', async (_, status, answer) => {
    const formats: string[] = [];
    const { openai } = await stage(async (request, response) => {
      const { response_format: format } = JSON.parse(await bodyOf(request)) as { response_format: string };
      formats.push(format);
      if (format === 'pcm') response.end(sound);
      else response.writeHead(status).end(answer);
    });
    for (let call = 0; call < 2; call++) {
      const chunks = await collect(openai.speak({ text: 'a', voice: 'nova', codec: 'mp3' }, never));
      expect(Buffer.concat(chunks.map(({ pcm }) => Buffer.from(pcm.buffer))).equals(sound)).toBe(true);
    }
    expect(formats).toEqual(['mp3', 'pcm', 'pcm']);
  });

  test('of an ElevenLabs-compatible upstream has its characters and words', async () => {
    let asked: unknown;
    const { elevenlabs } = await stage(async (request, response) => {
      asked = [request.url, request.headers['xi-api-key'], JSON.parse(await bodyOf(request))];
      response.write(line('Hello ').slice(0, 500));
      response.write(line('Hello ').slice(500));
      response.end(line('you'));
    });
    const input = {
      text: 'Hello you',
      voice: 'a/b',
      model: 'eleven_v2',
      seed: 3,
      settings: { stability: 0.5 },
      speed: 1.1,
      textNormalization: 'off' as const,
    };
    const chunks = await collect(elevenlabs.speak(input, never));
    expect(asked).toEqual([
      '/v1/text-to-speech/a%2Fb/stream/with-timestamps?output_format=pcm_24000',
      'xi-up',
      {
        text: 'Hello you',
        model_id: 'eleven_v2',
        voice_settings: { stability: 0.5, speed: 1.1 },
        seed: 3,
        apply_text_normalization: 'off',
      },
    ]);
    expect(chunks.map(({ characters }) => characters)).toEqual([6, 3]);
    expect(chunks.flatMap(({ marks }) => marks!.words.map(({ text }) => text))).toEqual(['Hello', 'you']);
  });

  test('of an ElevenLabs-compatible upstream may be cut anywhere, also within a sample', async () => {
    const part = (bytes: Buffer) => `${JSON.stringify({ audio_base64: bytes.toString('base64'), alignment: null })}\n`;
    const { elevenlabs } = await stage((_request, response) => {
      for (const from of [0, 1_001]) response.write(part(sound.subarray(from, from + 1_001)));
      response.end(part(sound.subarray(2_002)));
    });
    const chunks = await collect(elevenlabs.speak({ text: 'Hello you', voice: 'v' }, never));
    expect(Buffer.concat(chunks.map(({ pcm }) => Buffer.from(pcm.buffer))).equals(sound)).toBe(true);
  });

  const mute = '{"audio_base64":"","alignment":null}\n';
  test.each(['pcm_24000', 'mp3_44100_128'].flatMap((format) => ['', mute].map((answer) => [format, answer])))(
    'of an ElevenLabs-compatible upstream without sound is a failure: %s, %s',
    async (format, answer) => {
      const { elevenlabs } = await stage((_request, response) => response.end(answer));
      const spoken = collect(elevenlabs.speak({ text: 'Hello you', voice: 'v', format }, never));
      await expect(spoken).rejects.toMatchObject({ fault: 'failed' });
    },
  );

  test.each(['openai', 'elevenlabs'] as const)(
    'of %s ends at the upstream when the client disconnects',
    async (name) => {
      let isGone = false;
      const { [name]: provider } = await stage((_request, response) => {
        response.on('close', () => (isGone = true));
        response.write(name === 'openai' ? sound : line('Hello '));
      });
      const leaving = new AbortController();
      const stream = provider.speak({ text: 'Hello you', voice: 'v' }, leaving.signal)[Symbol.asyncIterator]();
      await stream.next();
      leaving.abort(new Error('left'));
      await expect(stream.next()).rejects.toThrow('left');
      await until(() => isGone);
    },
  );

  test.each([
    [400, 'refused'],
    [401, 'account'],
    [429, 'overloaded'],
    [500, 'failed'],
  ])("an upstream's %d becomes the fault %s", async (status, fault) => {
    const { openai, elevenlabs } = await stage((_request, response) => response.writeHead(status).end('{}'));
    for (const provider of [openai, elevenlabs]) {
      await expect(collect(provider.speak({ text: 'a', voice: 'v' }, never))).rejects.toMatchObject({ fault, status });
    }
  });

  test('that breaks off is a failure, not an end', async () => {
    const { openai } = await stage((_request, response) => {
      response.write(sound);
      setImmediate(() => response.destroy());
    });
    await expect(collect(openai.speak({ text: 'a', voice: 'v' }, never))).rejects.toMatchObject({ fault: 'failed' });
  });
});

describe('transcription', () => {
  const doneOf = (events: TranscriptionEvent[]) => {
    const last = events.at(-1)!;
    return last.type === 'done' ? last.transcript : undefined;
  };

  test('of an OpenAI-compatible upstream returns segments, words and the actual duration', async () => {
    let asked = '';
    const { openai } = await stage(async (request, response) => {
      asked = await bodyOf(request);
      response.end(
        JSON.stringify({
          text: ' Hello you.',
          language: 'english',
          duration: 99,
          segments: [
            null,
            { text: ' Hello you.', start: 0, end: 0.9, avg_logprob: Math.log(0.5), no_speech_prob: 0.03 },
          ],
          words: [
            { word: 'Hello', start: 0, end: 0.4 },
            { word: 'you', start: 0.5, end: 0.9 },
          ],
        }),
      );
    });
    const audio = streamOf(tone({ seconds: 1 }));
    const done = doneOf(await collect(openai.transcribe(audio, { model: 'whisper-1', language: 'en' }, never)));
    expect(asked).toContain('name="timestamp_granularities[]"');
    expect(asked).toContain('RIFF');
    expect(done).toMatchObject({ text: 'Hello you.', language: 'en', durationSeconds: 1 });
    expect(done!.words[1]).toEqual({ text: 'you', startMs: 500, endMs: 900, confidence: 0.5 });
    expect(done!.segments).toMatchObject([{ decoding: { noSpeechProb: 0.03, avgLogprob: Math.log(0.5) } }]);
  });

  test('of an ElevenLabs-compatible upstream leaves spaces out of the words, and marks events', async () => {
    let asked = '';
    const { elevenlabs } = await stage(async (request, response) => {
      asked = await bodyOf(request);
      const words = [
        null,
        { text: 'Hello', start: 0, end: 0.4, type: 'word', logprob: 0 },
        { text: ' ', start: 0.4, end: 0.5, type: 'spacing', logprob: 0 },
        { text: '(laughs)', start: 0.5, end: 0.9, type: 'audio_event', logprob: 0 },
      ];
      response.end(JSON.stringify({ language_code: 'eng', language_probability: 0.87, text: 'Hello (laughs)', words }));
    });
    const options = { seed: 7, audioEvents: false };
    const done = doneOf(await collect(elevenlabs.transcribe(streamOf(tone({ seconds: 1 })), options, never)));
    expect(asked).toMatch(/name="tag_audio_events"\r\n\r\nfalse\r\n/);
    expect(asked).toMatch(/name="seed"\r\n\r\n7\r\n/);
    expect(done).toMatchObject({
      text: 'Hello (laughs)',
      language: 'en',
      languageProbability: 0.87,
      durationSeconds: 1,
    });
    expect(done!.words).toEqual([
      { text: 'Hello', startMs: 0, endMs: 400, confidence: 1 },
      { text: '(laughs)', startMs: 500, endMs: 900, confidence: 1, isEvent: true },
    ]);
  });

  test('that is not JSON is a failure', async () => {
    const { openai } = await stage(async (request, response) => {
      await bodyOf(request);
      response.end('nonsense');
    });
    const events = collect(openai.transcribe(streamOf(tone({ seconds: 1 })), {}, never));
    await expect(events).rejects.toMatchObject({ fault: 'failed' });
  });
});

test('conversion sends the audio and the settings, and streams the result', async () => {
  let asked = '';
  const { elevenlabs } = await stage(async (request, response) => {
    asked = `${request.url}\n${await bodyOf(request)}`;
    response.end(sound);
  });
  const input = { audio: streamOf(tone({ seconds: 1 })), voice: 'v1', model: 'eleven_sts', settings: { style: 0.2 } };
  const chunks = await collect(elevenlabs.convert(input, never));
  expect(asked).toContain('/v1/speech-to-speech/v1/stream?output_format=pcm_24000');
  expect(asked).toContain('{"style":0.2}');
  expect(chunks.reduce((sum, { pcm }) => sum + pcm.length, 0)).toBe(24_000);
});

test.each(['pcm_24000', 'mp3_44100_128'])('conversion without any sound is a failure: %s', async (format) => {
  const { elevenlabs } = await stage((request, response) => bodyOf(request).then(() => response.end()));
  const converted = collect(elevenlabs.convert({ audio: streamOf(tone({ seconds: 1 })), voice: 'v1', format }, never));
  await expect(converted).rejects.toMatchObject({ fault: 'failed' });
});
