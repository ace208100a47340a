import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';

const RESTART_DELAY_MS = 1_000;

export interface Processes {
  /** The running processes by number: a replacement takes over the number. */
  running: () => [number: number, Worker][];
  /** Ends all processes; resolves with the exit code. */
  end: () => Promise<number>;
}

/**
 * Keeps `count` processes that serve the same ports: this process hands connections to them in turn. A process that dies is replaced, and
 * the others continue. If a process ends before any has listened, the settings are at fault: then `onUseless` is called.
 * `onListening` is called once, when the first listens.
 */
export function keepProcesses(
  count: number,
  { log, onListening, onUseless }: { log: Logger; onListening: () => void; onUseless: () => void },
): Processes {
  let isEnding = false;
  let hasListened = false;
  const numbered = new Map<number, Worker>();
  const start = (number: number): void => void numbered.set(number, cluster.fork());
  cluster.on('fork', (worker: Worker) => {
    log.info({ event: 'process_started', pid: worker.process.pid }, 'a process of the API starts');
    closeUntaken(worker);
  });
  cluster.on('listening', () => {
    if (!hasListened) onListening();
    hasListened = true;
  });
  cluster.on('exit', (worker: Worker, code: number, signal: string) => {
    if (isEnding) return;
    log.error({ event: 'process_ended', pid: worker.process.pid, code, signal }, 'a process of the API ended');
    if (!hasListened) return onUseless();
    const [number] = [...numbered].find(([, one]) => one === worker)!;
    setTimeout(() => !isEnding && start(number), RESTART_DELAY_MS);
  });
  // A process frozen in a loop would not notice that this process has ended.
  process.once('exit', () => {
    for (const worker of numbered.values()) worker.process.kill('SIGKILL');
  });
  for (let number = 1; number <= count; number += 1) start(number);
  return {
    running: () => [...numbered],
    end: async () => {
      isEnding = true;
      const codes = await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => endProcess(worker!)));
      return Math.max(0, ...codes);
    },
  };
}

interface Given {
  act?: string;
  seq: number;
}

/** Closes the connections that a process has not taken when it dies: Node keeps them open, and their callers would wait for ever. */
function closeUntaken(worker: Worker): void {
  const given = new Map<number, { close: () => void }>();
  const child = worker.process;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  const noted = (message: Given, handle: { close: () => void }, ...rest: unknown[]) => {
    if (message.act === 'newconn') given.set(message.seq, handle);
    return send(message, handle, ...rest);
  };
  Object.assign(child, { send: noted });
  child.on('internalMessage', ({ ack }: { ack?: number }) => void (ack !== undefined && given.delete(ack)));
  worker.once('exit', () => given.forEach((handle) => handle.close()));
}

/** Drains a process; resolves with its exit code. */
async function endProcess(worker: Worker): Promise<number> {
  const exited = once(worker, 'exit') as Promise<[number | null]>;
  worker.process.kill('SIGTERM');
  const [code] = await exited;
  return code ?? 1;
}
