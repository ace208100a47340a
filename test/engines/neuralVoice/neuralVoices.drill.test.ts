import { afterAll, describe, expect, test } from '@jest/globals';
import { encodeAudio } from '../../../calls/audio/audio.ts';
import { onnxRuntime, whisper } from '../../../engines/fetching/engineList.ts';
import { fetchEngine } from '../../../engines/fetching/fetchEngine.ts';
import { kokoro, piper, pronunciations } from '../../../engines/fetching/voiceEngines.ts';
import { createNeuralVoices, HD_MODEL } from '../../../engines/neuralVoice/neuralVoices.ts';
import { createEmbeddedSpeech } from '../../../engines/speech/embeddedSpeech.ts';
import { createEmbeddedTranscription } from '../../../engines/transcription/embeddedTranscription.ts';
import type { SpeechChunk, SpeechInput } from '../../../providers/speech.ts';
import { collect } from '../../support/streams.ts';
import { never, sentences, wordErrorRate } from '../transcription/spokenStage.ts';

type Speech = ReturnType<typeof createEmbeddedSpeech>;

const dataDir = '.data';
const engines: Record<string, Speech> = {};

for (const engine of [whisper, onnxRuntime, pronunciations, kokoro, piper])
  await fetchEngine(engine, { dataDir, onProgress: () => {} });
for (const voices of ['flite', 'piper', 'kokoro'] as const) {
  const neural = createNeuralVoices({ dataDir, isNeural: true, voices });
  engines[voices] = createEmbeddedSpeech({ threads: 1, callsMax: 4, neural });
}
const hearing = createEmbeddedTranscription({ dataDir, isNeural: true, processes: 1, waitingMax: 4 });
afterAll(async () => {
  await Promise.all([...Object.values(engines).map((speech) => speech.close()), hearing.close()]);
});

const figures: string[] = [];
afterAll(() => void process.stdout.write(`${figures.join('\n')}\n`));

const spoken = (engine: string, input: Omit<SpeechInput, 'voice'> & { voice?: string }) =>
  engines[engine]!.speak({ voice: 'ash', ...input }, never);
const secondsOf = (chunks: SpeechChunk[]) =>
  chunks.reduce((sum, { pcm, sampleRate }) => sum + pcm.length / sampleRate, 0);

/** Whisper's transcript of speech, in lower case without punctuation. */
async function heard(chunks: AsyncIterable<SpeechChunk>): Promise<string> {
  async function* samples() {
    const pcm16 = { codec: 'pcm', sampleRate: 16_000, mediaType: 'audio/pcm' } as const;
    for await (const bytes of encodeAudio(chunks, pcm16))
      yield new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
  }
  for await (const event of hearing.transcribe(samples(), {}, never))
    if (event.type === 'done') return plain(event.transcript.text);
  throw new Error('no end');
}
const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll('$100', 'one hundred dollars')
    .replaceAll(/\b7\b/g, 'seven')
    .replaceAll(/[^a-z0-9' ]/g, '');

describe.each(['flite', 'piper', 'kokoro'])('%s', (engine) => {
  test('is understood by the service itself', async () => {
    await collect(spoken(engine, { text: 'Ready.' }));
    const startMs = performance.now();
    const cpu = process.cpuUsage();
    let firstMs = 0;
    const chunks: SpeechChunk[] = [];
    for await (const chunk of spoken(engine, { text: sentences.join(' ') })) {
      firstMs ||= performance.now() - startMs;
      chunks.push(chunk);
    }
    const { user, system } = process.cpuUsage(cpu);
    const [wholeMs, seconds] = [performance.now() - startMs, secondsOf(chunks)];
    const said = plain(sentences.join(' ')).split(' ');
    const rate = wordErrorRate(said, (await heard(chunks[Symbol.iterator]() as never)).split(' '));
    figures.push(
      `${engine}: ${(rate * 100).toFixed(1)} % of ${said.length} words wrong, ${(wholeMs / 1000 / seconds).toFixed(2)} of the sound's time, ` +
        `${((user + system) / 1e6 / seconds).toFixed(2)} CPU s a second, first sound after ${Math.round(firstMs)} ms, ${Math.round(process.memoryUsage().rss / 1e6)} MB`,
    );
    expect(rate).toBeLessThan(0.06);
  }, 900_000);

  test('says how long each word takes', async () => {
    const text = 'The total is $1,234.50, due on 2026-11-23. 🙂 Kubernetes costs 50% of it!';
    const chunks = await collect(spoken(engine, { text, marks: true }));
    const words = chunks.flatMap(({ marks }) => marks!.words);
    expect(words.map((word) => word.text).join(' ')).toBe(text);
    expect(
      words.every(({ startMs, endMs }, at) => startMs <= endMs && startMs >= (words[at - 1]?.endMs ?? 0) - 60),
    ).toBe(true);
    expect(words.at(-1)!.endMs).toBeLessThanOrEqual(secondsOf(chunks) * 1000 + 1);
    const lasts = (word: string) =>
      words.filter(({ text: own }) => own === word).map(({ startMs, endMs }) => endMs - startMs)[0]!;
    expect(lasts('$1,234.50,')).toBeGreaterThan(3 * lasts('is'));
    expect(
      chunks
        .flatMap(({ marks }) => marks!.characters)
        .map((one) => one.text)
        .join(''),
    ).toBe(text);
  });

  test('gives the same sound for the same text, and less of it when it speaks faster', async () => {
    const text = 'Please transfer one hundred dollars to my savings account.';
    const [once, again] = [await collect(spoken(engine, { text })), await collect(spoken(engine, { text, seed: 7 }))];
    expect(again.map(({ pcm }) => Buffer.from(pcm.buffer).toString('base64'))).toEqual(
      once.map(({ pcm }) => Buffer.from(pcm.buffer).toString('base64')),
    );
    const fast = secondsOf(await collect(spoken(engine, { text, speed: 2 })));
    expect(fast / secondsOf(once)).toBeGreaterThan(0.4);
    expect(fast / secondsOf(once)).toBeLessThan(0.7);
  });
});

test('numbers, money and dates are heard as they are meant', async () => {
  const text = await heard(spoken('kokoro', { text: 'Dr. Smith paid $42.50 on May 3rd, 1999.', voice: 'marin' }));
  expect(text).toMatch(/^(dr|doctor) smith paid 4250 on may 3(rd)? 1999$/);
});

test('a caller who leaves does not stop the others', async () => {
  const leaving = new AbortController();
  const text = sentences.slice(0, 3).join(' ');
  const left = collect(engines.kokoro!.speak({ text, voice: 'nova', model: HD_MODEL }, leaving.signal));
  const stays = collect(spoken('kokoro', { text: 'Thank you very much for your help.', voice: 'fable' }));
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  expect(secondsOf(await stays)).toBeGreaterThan(1);
});
