import type { MessagePort, Worker } from 'node:worker_threads';

/** The last message to a thread: it ends when all before it have been handled. */
const END = 'end';
// The id of a thread that has exited.
const EXITED = -1;

/**
 * Ends a thread that computes with onnxruntime, after the work that it has begun: one that is terminated inside of onnxruntime takes the
 * whole process with it (SIGABRT). Resolves when it has exited, also by an error.
 */
export async function endOnnxThread(worker: Worker): Promise<void> {
  if (worker.threadId === EXITED) return;
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  worker.ref();
  worker.postMessage(END, []);
  await exited;
}

/** In the thread: handles messages one after the other, after `ready`, until it is told to end. */
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
