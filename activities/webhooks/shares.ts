/** Slots of a workspace: requests in flight, and the pace of each of its endpoints. */
interface Share {
  active: number;
  paces: Map<string, Pace>;
}

/** The duration of an endpoint's last request, and the expected time of its next free slot. */
interface Pace {
  lastMs: number;
  nextFreeMs: number;
}

const WAIT_MS_MIN = 100;
const WAIT_MS_MAX = 300_000;
// Those that wait for a fast endpoint come back spread over time, too.
const STEP_MS_MIN = 25;

/**
 * Slots for requests, at most `max` per workspace in this process, so that one workspace's slow endpoints leave room for others. `now` is a
 * clock in milliseconds.
 */
export function createShares(max: number, now: () => number = () => performance.now()) {
  const shares = new Map<string, Share>();

  function paceOf(share: Share, endpointId: string): Pace {
    const pace = share.paces.get(endpointId) ?? { lastMs: 0, nextFreeMs: 0 };
    share.paces.set(endpointId, pace);
    return pace;
  }

  return {
    /** Takes a slot: null. Without a free slot: the wait before the next try, by the pace of the endpoint: others of its workspace are faster. */
    enter(workspaceId: string, endpointId: string): number | null {
      const share = shares.get(workspaceId) ?? { active: 0, paces: new Map() };
      shares.set(workspaceId, share);
      if (share.active < max) {
        share.active += 1;
        return null;
      }
      const pace = paceOf(share, endpointId);
      pace.nextFreeMs = Math.max(pace.nextFreeMs, now()) + Math.max(pace.lastMs / max, STEP_MS_MIN);
      return Math.min(Math.max(pace.nextFreeMs - now(), WAIT_MS_MIN), WAIT_MS_MAX);
    },
    leave(workspaceId: string, endpointId: string, durationMs: number): void {
      const share = shares.get(workspaceId)!;
      share.active -= 1;
      paceOf(share, endpointId).lastMs = durationMs;
      if (share.active === 0) shares.delete(workspaceId);
    },
  };
}
