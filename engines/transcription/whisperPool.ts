import { createPlaces } from '../../base/places.ts';
import { WhisperChild, type HeardWindow, type WindowOrder } from './whisperChild.ts';

const IDLE_MS = 10 * 60_000;

export type WhisperPool = ReturnType<typeof createWhisperPool>;

/**
 * Up to `processes` recognisers with the model in memory, each of them with some 220 MB, started when they are needed and ended after ten
 * minutes without work. Windows are taken first come, first served, so that long sounds and short ones take turns.
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

  /** A caller that leaves stops waiting at once; a window that is being computed is finished, since its process is worth more. */
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
    /** Ends all processes, those at work too. */
    close: async () => {
      await close();
      await Promise.all([...children].map((child) => child.end()));
    },
  };
}

/** As `work` ends, or rejects with the signal's reason before; `work` then goes on in the background. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
