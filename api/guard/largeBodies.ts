import type { ServerResponse } from 'node:http';
import { overloaded } from '../errors/serviceErrors.ts';

// Of the time of this process, one workspace's large bodies take a quarter at most.
const REST_PER_WORK = 3;
const MIB = 1024 * 1024;
// What calls with large bodies keep in memory until they are answered, parsed and written for the upstream again.
const KEPT_BYTES_MAX = 512 * MIB;
const KEPT_OF_ONE_BYTES_MAX = 256 * MIB;

/** The end of the last turn of each workspace that waits or rests. */
const turns = new Map<string, Promise<void>>();
/** The bytes that each workspace's calls keep. */
const keptBytes = new Map<string, number>();

/**
 * Does work that keeps the whole process busy, one piece at a time for each workspace and with a rest after each: before its limits and its
 * balance are known, who sends much must not take the time of others. `fetch` gets what is worked on when its turn has come.
 */
export async function inTurn<Stuff, Result>(
  workspaceId: string,
  fetch: () => Stuff | Promise<Stuff>,
  work: (stuff: Stuff) => Result,
): Promise<Result> {
  const before = turns.get(workspaceId);
  const { promise: rested, resolve: endRest } = Promise.withResolvers<void>();
  turns.set(workspaceId, rested);
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
      if (turns.get(workspaceId) === rested) turns.delete(workspaceId);
      endRest();
    };
    setTimeout(end, workedMs * REST_PER_WORK);
  }
}

/** Counts a large body until its answer has ended. Throws 503 `overloaded` when too many bytes are kept already. */
export function keepUntilAnswered(res: ServerResponse, workspaceId: string, bytes: number): void {
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
