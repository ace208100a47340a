import { availableParallelism } from 'node:os';
import { endOnnxThread, startOnnxThread } from '../onnx/onnxThread.ts';
import type { SpeechMarks } from '../../providers/speech.ts';

/** The folders of a thread's engines. */
export interface VoiceThreadData {
  engine: 'kokoro' | 'piper';
  folder: string;
  runtime: string;
  dictionary: string;
  /** The number of threads that compute one piece. */
  threads: number;
}

/** A piece of text for the thread. */
export interface VoiceOrder {
  piece: string;
  voice: string;
  speed: number;
  marks: boolean;
}

export interface SpokenPiece {
  pcm: Int16Array<ArrayBuffer>;
  sampleRate: number;
  marks?: SpeechMarks;
}

/** The thread's answers: first its measured speed, then one for each piece, in order. */
export type VoiceAnswer = { measured: VoiceSpeed } | { spoken: SpokenPiece } | { error: string };

/** The speed of a voice on this machine. */
export interface VoiceSpeed {
  /** Time for a short sentence. */
  sentenceMs: number;
  /** Duration of that sentence. */
  soundMs: number;
}

export type VoiceThread = ReturnType<typeof startVoiceThread>;

// A busy machine may need several times as long as a piece lasts.
const PIECE_TIMEOUT_MS = 120_000;
const THREADS_MAX = 4;

/**
 * A thread with a neural voice in memory. It speaks one piece after the other; `ready` resolves when it has loaded and measured itself.
 */
export function startVoiceThread(data: Omit<VoiceThreadData, 'threads'>) {
  const threads = Math.min(availableParallelism(), THREADS_MAX);
  const script = new URL('./voiceWorker.ts', import.meta.url);
  const worker = startOnnxThread(script, { ...data, threads } satisfies VoiceThreadData);
  type Waiting = { resolve: (answer: VoiceAnswer) => void; reject: (reason: unknown) => void };
  const waiting: Waiting[] = [];
  // It was told to end, or has failed: it accepts no more pieces.
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;

  const end = (reason: unknown) => {
    hasEnded = true;
    clearTimeout(timer);
    for (const { reject } of waiting.splice(0)) reject(reason);
  };
  const next = () =>
    new Promise<VoiceAnswer>((resolve, reject) => {
      if (hasEnded) return reject(new Error('the thread of the voice has ended'));
      worker.ref();
      waiting.push({ resolve, reject });
      watch();
    });
  const watch = () => {
    clearTimeout(timer);
    if (waiting.length > 0) timer = setTimeout(() => void worker.terminate(), PIECE_TIMEOUT_MS);
    // Until its exit, an ending thread keeps the process alive.
    else if (!hasEnded) worker.unref();
  };
  worker.on('message', (answer: VoiceAnswer) => {
    waiting.shift()!.resolve(answer);
    watch();
  });
  worker.once('error', end).once('exit', () => end(new Error('the thread of the voice ended')));

  /** The next answer's member of that name. */
  async function answered<Name extends 'measured' | 'spoken'>(name: Name) {
    const answer = await next();
    if ('error' in answer) throw new Error(answer.error);
    return (answer as Record<Name, { measured: VoiceSpeed; spoken: SpokenPiece }[Name]>)[name];
  }

  return {
    ready: answered('measured'),
    async speak(order: VoiceOrder): Promise<SpokenPiece> {
      const spoken = answered('spoken');
      worker.postMessage(order, []);
      return spoken;
    },
    hasEnded: () => hasEnded,
    /** Ends it after its current piece, or after its load. */
    end(): Promise<void> {
      hasEnded = true;
      return endOnnxThread(worker);
    },
  };
}
