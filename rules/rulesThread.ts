import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const BEAT_MS = 1_000;
const BEATS_MISSED_MAX = 5;
const RESTART_DELAY_MS = 100;
const MEMORY_MB = 384;

/** `test`: the test upstream; `rehearsal`: the rehearsal model. */
export type RulesUpstream = 'test' | 'rehearsal';

export interface RulesThread {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts a rule-based upstream in its own thread: a call with slow rules delays no other call of this process. A thread that handles
 * nothing else for 5 s, or needs too much memory, is ended with its calls, and replaced at the same address.
 */
export async function startRulesThread(
  upstream: RulesUpstream,
  { beatMs = BEAT_MS }: { beatMs?: number } = {},
): Promise<RulesThread> {
  let isStopping = false;
  const first = await startWorker(upstream, 0, beatMs);
  let { worker } = first;
  const { url } = first;
  const { port } = new URL(url);
  void keepRunning();
  return {
    url,
    async stop() {
      isStopping = true;
      await worker.terminate();
    },
  };

  async function keepRunning(): Promise<void> {
    for (;;) {
      if (worker.threadId !== EXITED) await once(worker, 'exit');
      if (isStopping) return;
      await sleep(RESTART_DELAY_MS, undefined, { ref: false });
      const started = await startWorker(upstream, Number(port), beatMs).catch(() => undefined);
      if (!started) continue;
      worker = started.worker;
      if (isStopping) await worker.terminate();
    }
  }
}

// The id of a thread that has exited.
const EXITED = -1;

async function startWorker(upstream: RulesUpstream, port: number, beatMs: number) {
  const worker = new Worker(new URL('./rulesWorker.ts', import.meta.url), {
    workerData: { upstream, port },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {},
  });
  const listening = Promise.withResolvers<string>();
  worker.once('message', ({ url }: { url: string }) => listening.resolve(url));
  worker.once('exit', () => listening.reject(new Error(`the thread of the ${upstream} upstream ended`)));
  worker.on('error', listening.reject);
  const url = await listening.promise;
  endWhenStuck(worker, beatMs);
  // It does not keep the process alive.
  worker.unref();
  return { worker, url };
}

function endWhenStuck(worker: Worker, beatMs: number): void {
  let beatsMissed = 0;
  const beat = setInterval(() => {
    beatsMissed += 1;
    if (beatsMissed > BEATS_MISSED_MAX) void worker.terminate();
    else worker.postMessage('beat', []);
  }, beatMs);
  beat.unref();
  worker.on('message', () => void (beatsMissed = 0));
  worker.once('exit', () => clearInterval(beat));
}
