import { startOnnxThread } from '../onnx/onnxThread.ts';
import type { VoiceActivity } from '../../providers/sound/energyActivity.ts';

export type SileroThread = ReturnType<typeof createSileroThread>;

interface Pending {
  resolve: (probability: number) => void;
  reject: (reason: unknown) => void;
}

/** A frame of a stream for the thread; without a frame, the stream is over. */
export interface FrameMessage {
  stream: number;
  frame?: Float32Array<ArrayBuffer>;
}

/** The thread's answers: one for each frame, in order. */
export type FrameAnswer = { probability: number } | { error: string };

/** A thread with Silero's model, for all audio streams: a frame takes half a millisecond, which would add up in the API's main thread. */
export function createSileroThread({ runtime, model }: { runtime: string; model: string }) {
  const worker = startOnnxThread(new URL('./sileroWorker.ts', import.meta.url), { runtime, model });
  const pending: Pending[] = [];
  let streams = 0;
  let hasEnded = false;

  const fail = (reason: unknown) => {
    hasEnded = true;
    for (const { reject } of pending.splice(0)) reject(reason);
  };
  worker.on('message', (answer: FrameAnswer) => {
    const first = pending.shift();
    // An answer that arrives after the thread has failed: its frame was rejected then.
    if (!first) return;
    if (pending.length === 0) worker.unref();
    if ('error' in answer) first.reject(new Error(answer.error));
    else first.resolve(answer.probability);
  });
  worker.once('error', fail).once('exit', () => fail(new Error('the thread of the voice detection ended')));
  // An idle thread keeps no process alive.
  worker.unref();

  function open(): VoiceActivity {
    const stream = streams++;
    return {
      probability: (frame) =>
        new Promise((resolve, reject) => {
          if (hasEnded) return reject(new Error('the thread of the voice detection has ended'));
          worker.ref();
          pending.push({ resolve, reject });
          // A copy, which is transferred: the caller may reuse its frame.
          const copy = Float32Array.from(frame);
          worker.postMessage({ stream, frame: copy } satisfies FrameMessage, [copy.buffer]);
        }),
      close: () => worker.postMessage({ stream } satisfies FrameMessage, []),
    };
  }

  return { open, hasEnded: () => hasEnded };
}
