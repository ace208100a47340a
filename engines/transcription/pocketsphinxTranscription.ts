import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ProviderError } from '../../providers/provider.ts';
import type { CallSignal } from '../../providers/provider.ts';
import type {
  TranscribedSegment,
  TranscribedWord,
  TranscriptionEvent,
  TranscriptionOptions,
  TranscriptionProvider,
} from '../../providers/speech.ts';
import { linkedSignal } from '../../providers/callAbort.ts';
import { refuseFull, segmentOf, transcriptOf, type TranscriptionLimits } from './heard.ts';
import { findRecogniser } from './pocketsphinx.ts';
import type { Recogniser } from './pocketsphinx.ts';
import { createSpareRecogniser, type RecogniserChild } from './spareRecogniser.ts';
import { createPlaces } from '../../base/places.ts';
import { drained } from '../../base/waiting.ts';

const LOOK_AGAIN_MS = 10_000;

type Line =
  { ready: true } | { start: number; end: number; words: [string, number, number, number][] } | { seconds: number };

/**
 * Transcription by PocketSphinx with its general model of American English, in a separate process for each call; the next one is started
 * before its call. It recognises only English, so a translation equals a transcription, and it accepts no hints: options make no
 * difference. Silence and noise give an empty text. Words are in lower case, without punctuation.
 */
export function createPocketsphinxTranscription({ dataDir, ...limits }: TranscriptionLimits) {
  const places = createPlaces({ atOnce: limits.processes, waitingMax: limits.waitingMax });
  const spare = createSpareRecogniser();
  let recogniser: Promise<Recogniser> | undefined;
  let running = 0;
  let isClosed = false;

  const find = (): Promise<Recogniser> => (recogniser ??= look());

  /** A missing recogniser is looked for again after a while, because it may have been fetched since: each look starts Python. */
  function look(): Promise<Recogniser> {
    const found = findRecogniser(dataDir);
    found.catch(() => setTimeout(() => (recogniser = undefined), LOOK_AGAIN_MS).unref());
    return found;
  }

  async function* transcribe(
    audio: AsyncIterable<Int16Array>,
    _options: TranscriptionOptions,
    signal: CallSignal,
  ): AsyncGenerator<TranscriptionEvent> {
    if (signal.aborted) throw signal.reason;
    const link = linkedSignal(signal);
    try {
      const found = await find();
      const leave = await places.take({ signal: link.signal }).catch(refuseFull);
      running += 1;
      try {
        yield* recognise(spare.take(found), audio, link.signal);
      } finally {
        running -= 1;
        prepareWith(found);
        leave();
      }
    } finally {
      link.release();
    }
  }

  /** The spare process counts as one of those that may run. */
  function prepareWith(found: Recogniser): void {
    if (running < limits.processes && !isClosed) spare.prepare(found);
  }

  const provider: TranscriptionProvider = { transcribe };
  return {
    ...provider,
    /** Starts a process for the next call, where one more may run. */
    prepare: async () => prepareWith(await find()),
    close: () => {
      isClosed = true;
      return spare.close();
    },
  };
}

async function* recognise(
  child: RecogniserChild,
  audio: AsyncIterable<Int16Array>,
  signal: AbortSignal,
): AsyncGenerator<TranscriptionEvent> {
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const ended = endOf(child);
  const fed = feed(child, audio).catch((error: unknown) => {
    kill();
    return { error };
  });
  try {
    yield* eventsOf(child);
    const failure = await fed;
    if (failure) throw failure.error;
  } catch (error) {
    // A recogniser that ended early did so because its input failed or its caller disconnected.
    if (signal.aborted) throw signal.reason;
    const failure = await Promise.race([fed, ended]);
    throw failure ? failure.error : error;
  } finally {
    kill();
    // Output after the last line is dropped: an open pipe would hide the end of the process.
    child.stdout.destroy();
    await ended;
  }
}

/** Sends the samples as fast as they are read. When the recogniser has ended, its reader reports that. */
async function feed(child: RecogniserChild, audio: AsyncIterable<Int16Array>): Promise<undefined> {
  child.stdin.on('error', () => undefined);
  for await (const samples of audio) {
    if (!child.stdin.writable) return;
    const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    if (!child.stdin.write(bytes)) await drained(child.stdin);
  }
  child.stdin.end();
}

async function endOf(child: RecogniserChild): Promise<undefined> {
  await once(child, 'close').catch(() => undefined);
}

async function* eventsOf(child: RecogniserChild): AsyncGenerator<TranscriptionEvent> {
  const segments: TranscribedSegment[] = [];
  const words: TranscribedWord[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as Line;
    if ('seconds' in line) {
      yield { type: 'done', transcript: transcriptOf(segments, words, line.seconds) };
      return;
    }
    if ('ready' in line || line.words.length === 0) continue;
    const heard = line.words.map(([text, start, end, confidence]) => ({
      text,
      startMs: Math.round(start * 1000),
      endMs: Math.round(end * 1000),
      confidence,
    }));
    const segment = segmentOf(heard);
    segments.push(segment);
    words.push(...heard);
    yield { type: 'segment', segment, words: heard };
  }
  throw new ProviderError('failed', 'the recogniser ended without an answer');
}
