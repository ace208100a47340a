import { type MessagePort, Worker } from 'node:worker_threads';
import { silenceOnnx } from '../config.ts';

/** Last message to a thread: it ends once all earlier messages are handled. */
const END = 'end';
// The id of a thread that has exited.
const EXITED = -1;

/** Starts a thread that runs onnxruntime. */
export function startOnnxThread(script: URL, workerData: object): Worker {
  silenceOnnx();
  return new Worker(script, { workerData, execArgv: ['--disable-warning=ExperimentalWarning'], env: {} });
}

/**
 * Ends a thread that runs onnxruntime, once its queued messages are handled. `terminate()` inside an onnxruntime call aborts the whole
 * process (SIGABRT). Resolves on the thread's exit, including an exit by an error.
 */
export async function endOnnxThread(worker: Worker): Promise<void> {
  if (worker.threadId === EXITED) return;
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  worker.ref();
  worker.postMessage(END, []);
  await exited;
}

/** Runs in the thread: handles its messages in order, starting after `ready`, and closes the port on `END`. */
export function handleInTurn(
  port: MessagePort,
  handle: (message: never) => Promise<void>,
  ready: Promise<void> = Promise.resolve(),
): void {
  let last = ready;
  port.on('message', (message: unknown) => {
    last = last.then(() => (message === END ? port.close() : handle(message as never)));
  });
}
