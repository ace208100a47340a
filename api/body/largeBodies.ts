import type { ServerResponse } from 'node:http';
import { requestTimeout } from '../../base/errors/requestErrors.ts';
import { overloaded } from '../../base/errors/serviceErrors.ts';
import { MIB } from '../../base/limits.ts';

// Large bodies of one workspace use at most a quarter of this process's time.
const REST_PER_WORK = 3;
// Memory for calls with large bodies until they are answered: the parsed body, and its copy for the upstream.
const KEPT_BYTES_MAX = 512 * MIB;
const KEPT_OF_ONE_BYTES_MAX = 256 * MIB;

/** The end of each workspace's last work or pause. */
const queues = new Map<string, Promise<void>>();
/** Each workspace's large bodies that arrive or wait: their number, and the end of the last one. */
const arriving = new Map<string, { count: number; last: Promise<void> }>();
const ARRIVING_MAX = 101;
/** Bytes in use by each workspace's calls. */
const keptBytes = new Map<string, number>();

/**
 * Runs work that blocks the process, one piece at a time for each workspace and with a pause after each. Limits and balance are not known
 * yet, so a caller with many large bodies must not slow down others. `fetch` is called when the work may begin.
 */
export async function runInTimeShare<Stuff, Result>(
  workspaceId: string,
  fetch: () => Stuff | Promise<Stuff>,
  work: (stuff: Stuff) => Result,
): Promise<Result> {
  const before = queues.get(workspaceId);
  const { promise: rested, resolve: endRest } = Promise.withResolvers<void>();
  queues.set(workspaceId, rested);
  await before;
  let workedMs = 0;
  try {
    const stuff = await fetch();
    const begunMs = performance.now();
    try {
      return work(stuff);
    } finally {
      workedMs = performance.now() - begunMs;
    }
  } finally {
    const end = () => {
      if (queues.get(workspaceId) === rested) queues.delete(workspaceId);
      endRest();
    };
    setTimeout(end, workedMs * REST_PER_WORK);
  }
}

/**
 * Waits until no other large body of the workspace is arriving. Returns a function that admits the next one. A waiting body is not read, so
 * it uses neither disk nor memory. Throws 503 `overloaded` when a hundred wait.
 */
export async function takeLargeTurn(workspaceId: string): Promise<() => void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const before = arriving.get(workspaceId);
  if (before && before.count >= ARRIVING_MAX) throw overloaded();
  const line = before ?? { count: 0, last: Promise.resolve() };
  const { last } = line;
  arriving.set(workspaceId, Object.assign(line, { count: line.count + 1, last: ended }));
  await last;
  return () => {
    line.count -= 1;
    if (line.count === 0) arriving.delete(workspaceId);
    resolve();
  };
}

/**
 * Counts a large body as in use until its answer has ended. Throws 503 `overloaded` when too many bytes are in use, and 408 when the client
 * disconnected while its body waited: its answer ends no more, so the bytes would count for ever.
 */
export function keepUntilAnswered(res: ServerResponse, workspaceId: string, bytes: number): void {
  if (res.destroyed) throw requestTimeout();
  const ownBytes = bytes + (keptBytes.get(workspaceId) ?? 0);
  const allBytes = bytes + keptBytes.values().reduce((sum, one) => sum + one, 0);
  if (ownBytes > KEPT_OF_ONE_BYTES_MAX || allBytes > KEPT_BYTES_MAX) throw overloaded();
  keptBytes.set(workspaceId, ownBytes);
  res.on('close', () => {
    const left = keptBytes.get(workspaceId)! - bytes;
    if (left === 0) keptBytes.delete(workspaceId);
    else keptBytes.set(workspaceId, left);
  });
}
