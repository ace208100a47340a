import { createPlaces } from '../../base/places.ts';
import { WhisperChild, type HeardWindow, type WindowOrder } from './whisperChild.ts';

const IDLE_MS = 10 * 60_000;

/**
 * Up to `processes` recognisers with the model in memory, each with some 220 MB, started on demand and ended after ten idle minutes.
 * Windows are served in order of arrival, so that long and short audio take turns.
 */
export function createWhisperPool({ folder, processes }: { folder: string; processes: number }) {
  const places = createPlaces({ atOnce: processes });
  const idle: WhisperChild[] = [];
  const children = new Set<WhisperChild>();
  let timer: NodeJS.Timeout | undefined;

  async function take(): Promise<WhisperChild> {
    for (let child = idle.pop(); child; child = idle.pop()) {
      if (!child.hasEnded) {
        child.setIdle(false);
        return child;
      }
      children.delete(child);
    }
    const started = await WhisperChild.start(folder);
    children.add(started);
    return started;
  }

  function rest(child: WhisperChild): void {
    clearTimeout(timer);
    if (child.hasEnded) return void children.delete(child);
    child.setIdle(true);
    idle.push(child);
    timer = setTimeout(() => void close(), IDLE_MS).unref();
  }

  async function close(): Promise<void> {
    clearTimeout(timer);
    const ending = idle.splice(0);
    for (const child of ending) children.delete(child);
    await Promise.all(ending.map((child) => child.end()));
  }

  /** A disconnected caller stops waiting at once; its current window is finished, because restarting the process would cost more. */
  async function recognise(window: WindowOrder, signal: AbortSignal): Promise<HeardWindow> {
    const leave = await places.take({ signal });
    const computing = compute(window).finally(leave);
    return unlessAborted(computing, signal);
  }

  async function compute(window: WindowOrder): Promise<HeardWindow> {
    const child = await take();
    try {
      return await child.recognise(window);
    } finally {
      rest(child);
    }
  }

  return {
    recognise,
    /** Starts a process unless there is one. @throws why it does not start. */
    ready: async () => {
      if (children.size > 0) return;
      await places.run(async () => children.size === 0 && rest(await take()));
    },
    /** Ends all processes, including working ones. */
    close: async () => {
      await close();
      await Promise.all([...children].map((child) => child.end()));
    },
  };
}

/** Settles like `work`, or rejects earlier with the signal's reason; `work` then continues in the background. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
