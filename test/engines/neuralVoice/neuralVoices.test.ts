import { mkdir, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { engineFolder } from '../../../engines/fetching/engine.ts';
import { onnxRuntime } from '../../../engines/fetching/engineList.ts';
import { kokoro, piper, pronunciations } from '../../../engines/fetching/voiceEngines.ts';
import { createNeuralVoices, HD_MODEL } from '../../../engines/neuralVoice/neuralVoices.ts';
import type { VoiceSpeed } from '../../../engines/neuralVoice/voiceThread.ts';
import { createEmbeddedSpeech } from '../../../engines/speech/embeddedSpeech.ts';
import { findPresetVoice } from '../../../providers/voices.ts';
import { makeFolder, type TestFolder } from '../../support/folder.ts';
import { collect } from '../../support/streams.ts';

let folder: TestFolder;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

const never = new AbortController().signal;
const [ash, nova] = [findPresetVoice('ash')!, findPresetVoice('nova')!];
const voicesOf = (voices: 'auto' | 'flite' | 'piper' | 'kokoro', isNeural = true) =>
  createNeuralVoices({ dataDir: folder.path, isNeural, voices });
/** Folders without content: the engines seem to be installed, and fail when they are loaded. */
const pretend = async () => {
  for (const engine of [onnxRuntime, pronunciations, kokoro, piper])
    await mkdir(engineFolder(folder.path, engine), { recursive: true });
};

test('before they are fetched Flite speaks, and the HD model is unavailable', async () => {
  const neural = voicesOf('auto');
  expect(await neural.speakerOf({ text: '', voice: 'ash', model: 'ledgerline-speech' })).toBeUndefined();
  await expect(neural.speakerOf({ text: '', voice: 'ash', model: HD_MODEL })).rejects.toMatchObject({
    fault: 'unavailable',
  });
  expect(neural.engineOf('ledgerline-speech', ash)).toEqual({ engine: 'flite', isReady: true });
  expect(neural.engineOf(HD_MODEL, ash)).toEqual({ engine: 'kokoro-82m', isReady: false });
});

test('once they are there, the configuration says who speaks a preset', async () => {
  await pretend();
  const engineOf = (voices: Parameters<typeof voicesOf>[0], isNeural = true) =>
    [ash, nova].map((preset) => voicesOf(voices, isNeural).engineOf('ledgerline-speech', preset).engine);
  expect(engineOf('auto')).toEqual(['flite', 'flite']);
  expect(engineOf('kokoro')).toEqual(['kokoro-82m', 'kokoro-82m']);
  expect(engineOf('flite')).toEqual(['flite', 'flite']);
  expect(engineOf('piper')).toEqual(['piper-joe', 'flite']);
  expect(engineOf('auto', false)).toEqual(['flite', 'flite']);
  expect(voicesOf('flite').engineOf(HD_MODEL, ash)).toEqual({ engine: 'kokoro-82m', isReady: true });
});

describe('a voice that loads in the background', () => {
  let loading: PromiseWithResolvers<VoiceSpeed>;
  let starts: number;
  const fast = { sentenceMs: 800, soundMs: 2500 };
  const call = { text: '', voice: 'ash', model: 'ledgerline-speech' };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const speaker = (neural: ReturnType<typeof voicesOf>) => neural.speakerOf(call);

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    starts = 0;
    await pretend();
  });
  afterEach(() => void jest.useRealTimers());

  function background(voices: 'auto' | 'flite' = 'auto') {
    const startThread = () => {
      starts += 1;
      loading = Promise.withResolvers();
      let hasEnded = false;
      const speak = async () => ({ pcm: new Int16Array(2400), sampleRate: 24_000 });
      return { ready: loading.promise, speak, hasEnded: () => hasEnded, end: async () => void (hasEnded = true) };
    };
    return createNeuralVoices({ dataDir: folder.path, isNeural: true, voices, startThread });
  }

  test('is loaded some time after the start, and the first call finds it', async () => {
    const neural = background();
    neural.preload();
    expect(starts).toBe(0);
    jest.advanceTimersByTime(60_000);
    expect(starts).toBe(1);
    expect(neural.engineOf('ledgerline-speech', ash).engine).toBe('flite');
    loading.resolve(fast);
    await settled();
    expect(neural.engineOf('ledgerline-speech', ash)).toEqual({ engine: 'kokoro-82m', isReady: true });
    expect(await speaker(neural)).toBeDefined();
    await neural.close();
  });

  test('is loaded once its files are there', async () => {
    await rm(engineFolder(folder.path, kokoro), { recursive: true });
    const neural = background();
    neural.preload();
    jest.advanceTimersByTime(60_000);
    expect(starts).toBe(0);
    await pretend();
    jest.advanceTimersByTime(10_000);
    expect(starts).toBe(1);
    await neural.close();
  });

  test('is not loaded where Flite is to speak', async () => {
    const neural = background('flite');
    neural.preload();
    jest.advanceTimersByTime(60_000);
    expect(starts).toBe(0);
    await neural.close();
  });

  test('does not keep a call waiting: Flite speaks while it loads', async () => {
    const neural = background();
    expect(await speaker(neural)).toBeUndefined();
    expect(await speaker(neural)).toBeUndefined();
    expect(starts).toBe(1);
    loading.resolve(fast);
    await settled();
    const open = await speaker(neural);
    expect(open).toBeDefined();
    expect(await speaker(neural)).toBeUndefined();
    open!.close();
    expect(await speaker(neural)).toBeDefined();
    await neural.close();
  });

  test('that measures itself slow is measured again after five minutes, and then not used', async () => {
    const neural = background();
    for (const minutes of [5, 60]) {
      await speaker(neural);
      loading.resolve({ sentenceMs: 3000, soundMs: 2500 });
      await settled();
      const before = starts;
      expect(await speaker(neural)).toBeUndefined();
      expect(starts).toBe(before);
      jest.advanceTimersByTime(minutes * 60_000 + 1);
    }
    expect(await speaker(neural)).toBeUndefined();
    expect(starts).toBe(2);
    await neural.close();
  });
});

test('a cloned voice is derived from Flite', async () => {
  await pretend();
  expect(await voicesOf('kokoro').speakerOf({ text: '', voice: { pitchHz: 120, brightnessHz: 400 } })).toBeUndefined();
});

test('a voice that does not load is replaced by Flite, except for the HD model', async () => {
  await pretend();
  for (const voices of ['auto', 'kokoro'] as const) {
    const speech = createEmbeddedSpeech({ threads: 1, callsMax: 1, neural: voicesOf(voices) });
    const chunks = await collect(speech.speak({ text: 'Hello.', voice: 'ash', model: 'ledgerline-speech' }, never));
    expect(chunks.map(({ sampleRate }) => sampleRate)).toEqual([15_040]);
    await expect(collect(speech.speak({ text: 'Hello.', voice: 'ash', model: HD_MODEL }, never))).rejects.toMatchObject(
      { fault: 'failed' },
    );
    await speech.close();
  }
});
