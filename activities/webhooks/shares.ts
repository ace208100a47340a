/** Slots of a workspace: requests in flight, the duration of the last one, and the expected time of the next free slot. */
interface Share {
  active: number;
  lastMs: number;
  nextFreeMs: number;
}

const WAIT_MS_MIN = 100;
const WAIT_MS_MAX = 300_000;

/**
 * Slots for requests, at most `max` per workspace in this process, so that one workspace's slow endpoints leave room for others. `now` is a
 * clock in milliseconds.
 */
export function createShares(max: number, now: () => number = () => performance.now()) {
  const shares = new Map<string, Share>();

  return {
    /** Takes a slot: null. Without a free slot: the wait before the next try, by the pace of the workspace's endpoints. */
    enter(workspaceId: string): number | null {
      const share = shares.get(workspaceId) ?? { active: 0, lastMs: 0, nextFreeMs: 0 };
      shares.set(workspaceId, share);
      if (share.active < max) {
        share.active += 1;
        return null;
      }
      share.nextFreeMs = Math.max(share.nextFreeMs, now()) + share.lastMs / max;
      return Math.min(Math.max(share.nextFreeMs - now(), WAIT_MS_MIN), WAIT_MS_MAX);
    },
    leave(workspaceId: string, durationMs: number): void {
      const share = shares.get(workspaceId)!;
      share.active -= 1;
      share.lastMs = durationMs;
      if (share.active === 0) shares.delete(workspaceId);
    },
  };
}
