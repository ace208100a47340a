import type { Rows } from '../db/postgres/rows.ts';
import { admitRuns, lockFlow } from '../db/runs/flow/admitRuns.ts';
import type { RunRow } from '../db/runs/runRow.ts';

/** A workspace, and the run whose lanes are looked at; all lanes without one. */
export interface TurnOf {
  workspaceId: string;
  runId?: string;
}

/** Starts waiting runs when their turn comes. */
export interface Turns {
  /** Lets those start whose turn it is. */
  take(of: TurnOf): Promise<void>;
  /** The same after a while. What is due later than a few minutes, or was not done, is left to the sweep. */
  takeIn(workspaceId: string, inMs: number): void;
  close(): void;
}

const WAIT_MS_MAX = 600_000;
const WORKSPACES_MAX = 1_000;

/** `start` notifies the workflow of an admitted run; `onError` hears of turns that were not taken. */
export function createTurns({
  everywhere,
  start,
  onError,
}: {
  everywhere: Rows<undefined>;
  start: (run: RunRow) => Promise<void> | void;
  onError: (error: unknown, workspaceId: string) => void;
}): Turns {
  const timers = new Map<string, { atMs: number; timer: NodeJS.Timeout }>();
  let isClosed = false;

  async function take({ workspaceId, runId }: TurnOf): Promise<void> {
    const { admitted, nextMs } = await everywhere.transaction(async ({ client }) => {
      await lockFlow(client, workspaceId);
      return admitRuns(client, { workspaceId, runId });
    });
    if (nextMs !== undefined) takeIn(workspaceId, nextMs);
    await Promise.all(admitted.map(async (run) => start(run)));
  }

  function takeIn(workspaceId: string, inMs: number): void {
    const atMs = performance.now() + inMs;
    const earlier = timers.get(workspaceId);
    if (isClosed || inMs > WAIT_MS_MAX || (earlier && earlier.atMs <= atMs)) return;
    if (!earlier && timers.size >= WORKSPACES_MAX) return;
    clearTimeout(earlier?.timer);
    const timer = setTimeout(() => {
      timers.delete(workspaceId);
      take({ workspaceId }).catch((error: unknown) => onError(error, workspaceId));
    }, inMs);
    timers.set(workspaceId, { atMs, timer: timer.unref() });
  }

  return {
    take,
    takeIn,
    close: () => {
      isClosed = true;
      for (const { timer } of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
