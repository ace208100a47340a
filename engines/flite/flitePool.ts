import { Worker } from 'node:worker_threads';
import { createPlaces } from '../../base/places.ts';
import { ProviderError } from '../../providers/provider.ts';
import { loadFlite } from './fliteModule.ts';

export interface FliteOutput {
  stdout: string;
  /** The file that the synthesiser wrote. */
  file: Uint8Array;
}

// A sentence takes a tenth of a second; a piece of our size never takes this long.
const JOB_TIMEOUT_MS = 20_000;
const WORKER_MEMORY_MB = 64;

/**
 * The synthesiser in separate threads, so that its computation does not block the process. Jobs run in order of arrival; when a job's
 * caller disconnects, it leaves the queue, or is ended with its thread. The callers limit the queue.
 */
export class FlitePool {
  readonly #places: ReturnType<typeof createPlaces>;
  readonly #idle: Worker[] = [];
  readonly #workers = new Set<Worker>();
  #isClosed = false;

  constructor(threads: number) {
    this.#places = createPlaces({ atOnce: threads });
  }

  /** Rejects with the signal's reason, or with `ProviderError` (failed) when the synthesiser breaks. */
  async run(args: string[], signal: AbortSignal): Promise<FliteOutput> {
    if (this.#isClosed) throw new ProviderError('unavailable', 'speech has been shut down');
    const work = async () => this.#ask(this.#idle.pop() ?? (await this.#startWorker()), args, signal);
    return this.#places.run(work, { signal });
  }

  /** Ends all threads. Running jobs fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }

  async #startWorker(): Promise<Worker> {
    const worker = new Worker(new URL('./fliteWorker.ts', import.meta.url), {
      workerData: { module: await loadFlite() },
      resourceLimits: { maxOldGenerationSizeMb: WORKER_MEMORY_MB },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: {},
    });
    this.#workers.add(worker);
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      this.#workers.delete(worker);
      if (this.#idle.includes(worker)) this.#idle.splice(this.#idle.indexOf(worker), 1);
    });
    return worker;
  }

  #ask(worker: Worker, args: string[], signal: AbortSignal): Promise<FliteOutput> {
    return new Promise((resolve, reject) => {
      const settle = (settleJob: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        worker.off('message', onMessage).off('exit', onExit);
        settleJob();
      };
      const end = (reason: unknown) => settle(() => void worker.terminate().then(() => reject(reason)));
      const onAbort = () => end(signal.reason);
      const onExit = () => settle(() => reject(new ProviderError('failed', 'the synthesiser ended')));
      const onMessage = (message: FliteOutput | { error: string }) =>
        settle(() => {
          this.#rest(worker);
          if ('error' in message) reject(new ProviderError('failed', `the synthesiser broke: ${message.error}`));
          else resolve(message);
        });
      const timer = setTimeout(() => end(new ProviderError('stalled', 'the synthesiser did not end')), JOB_TIMEOUT_MS);
      worker.ref();
      worker.on('message', onMessage).once('exit', onExit);
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) return end(signal.reason);
      worker.postMessage(args, []);
    });
  }

  /** An idle thread does not keep the process alive. */
  #rest(worker: Worker): void {
    worker.unref();
    this.#idle.push(worker);
  }
}
