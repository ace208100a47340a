import { setTimeout as sleep } from 'node:timers/promises';
import { firstStarted } from '../fallback.ts';
import { localMissing, type LocalVoice, type LocalVoices } from '../localEngines.ts';
import { ProviderError, type CallSignal, type TestCall } from '../provider.ts';
import type { ConversionInput, SpeechInput, TranscribedWord, TranscriptionEvent } from '../speech.ts';
import { TEST_TIMEOUT_MS, type TestFault } from '../testFault.ts';
import { testPlacesOf } from './testPlaces.ts';
import { TEST_TRANSCRIPT } from './testTranscript.ts';

const SAMPLES_PER_MS = 16;
const WORDS = TEST_TRANSCRIPT.split(' ');
const WORD_MS = 400;

/** Audio of test calls: the basic voice speaks, and equally long sounds get equal transcriptions. */
export function createTestVoice(local: LocalVoices | undefined) {
  let opened: LocalVoice | undefined;

  function engine(): LocalVoice {
    if (!local) throw localMissing();
    return (opened ??= local.openBasic());
  }

  return {
    speak: ({ fault }: TestCall, input: SpeechInput, signal: CallSignal) =>
      failing(fault, () => engine().speak(input, signal), signal),
    transcribe: ({ fault }: TestCall, audio: AsyncIterable<Int16Array>, signal: CallSignal) =>
      failing(fault, () => transcriptOf(audio), signal),
    convert: ({ fault }: TestCall, input: ConversionInput, signal: CallSignal) =>
      failing(fault, () => engine().convert(input, signal), signal),
    close: async (): Promise<void> => opened?.close(),
  };
}

async function* transcriptOf(audio: AsyncIterable<Int16Array>): AsyncGenerator<TranscriptionEvent> {
  let samples = 0;
  for await (const piece of audio) samples += piece.length;
  const endMs = Math.round(samples / SAMPLES_PER_MS);
  const words: TranscribedWord[] = WORDS.map((text, nth) => ({
    text,
    startMs: Math.min(endMs, nth * WORD_MS),
    endMs: Math.min(endMs, (nth + 1) * WORD_MS),
    confidence: 1,
  }));
  const segment = { text: TEST_TRANSCRIPT, startMs: 0, endMs, confidence: 1 };
  yield { type: 'segment', segment, words };
  const { text } = segment;
  yield {
    type: 'done',
    transcript: { text, language: 'en', segments: [segment], words, durationSeconds: endMs / 1_000 },
  };
}

/** The items of the first upstream that does not fail, as for other calls. */
function failing<T>(fault: TestFault | undefined, open: () => AsyncIterable<T>, signal: CallSignal): AsyncIterable<T> {
  return firstStarted(testPlacesOf(fault), (place) => withFault(place.fault, open), signal);
}

const BREAKS = new Set(['cut_stream', 'malformed_chunk', 'error_chunk']);

async function* withFault<T>(fault: TestFault | undefined, open: () => AsyncIterable<T>): AsyncGenerator<T> {
  if (fault) await failBefore(fault);
  for await (const item of open()) {
    yield item;
    if (fault && BREAKS.has(fault.name)) throw new ProviderError('failed', `a test call asked for ${fault.name}`);
    if (fault?.name === 'slow_chunks') await sleep(fault.delayMs);
  }
}

async function failBefore({ name, delayMs }: TestFault): Promise<void> {
  const message = `a test call asked for ${name}`;
  if (name === 'slow_first_byte') await sleep(delayMs);
  if (name === 'upstream_500') throw new ProviderError('failed', message, { status: 500 });
  if (name === 'upstream_429') throw new ProviderError('overloaded', message, { status: 429, retryAfterMs: 1_000 });
  if (name === 'upstream_reset') throw new ProviderError('unreachable', message);
  if (name === 'upstream_refusal')
    throw new ProviderError('refused', message, {
      status: 400,
      detail: { message: 'The test upstream refuses this request.', code: 'test_refusal' },
    });
  if (name !== 'upstream_timeout') return;
  await sleep(TEST_TIMEOUT_MS);
  throw new ProviderError('stalled', message);
}
