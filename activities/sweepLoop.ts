import { setTimeout as sleep } from 'node:timers/promises';
import { Context, log } from '@temporalio/activity';
import type { SweepLoopResult } from '../contracts/sweep.ts';

/** What one sweep does, in order. Each part is idempotent. */
export interface SweepParts {
  sweepLedger(): Promise<{ takesPayments?: boolean }>;
  sweepRuns(): Promise<unknown>;
  sweepReviews(): Promise<unknown>;
  startAutoTopups(): Promise<unknown>;
  startWebhooks(): Promise<unknown>;
  syncSchedules(): Promise<unknown>;
  /** Once a minute, as `upkeep`. */
  reconcileSchedules(): Promise<unknown>;
  upkeep(): Promise<unknown>;
}

/** How long one activity sweeps, and how often. */
interface Rules {
  /** Whether the worker takes no more work: Temporal cancels activities only after a grace. */
  isStopping: () => boolean;
  lengthMs?: number;
  pauseMs?: number;
  /** A part that takes longer is left to itself. */
  partLimitMs?: number;
  /** When the worker stops, the part under way has this long. */
  stopWaitMs?: number;
}

// How soon the end of the worker is noticed.
const LOOK_MS = 200;
const LENGTH_MS = 600_000;
const PAUSE_MS = 5_000;
const MINUTE_MS = 60_000;
const PART_LIMIT_MS = 240_000;
// The worker ends with an error when an activity goes on for twenty seconds.
const STOP_WAIT_MS = 5_000;
// Each heartbeat is an action on Temporal Cloud; the timeout is thirty seconds.
const HEARTBEAT_MS = 12_000;

/**
 * Sweeps every five seconds for ten minutes, or until the worker stops: as one activity, so that an idle installation costs Temporal a few
 * actions a minute. A part that fails is logged, and does not keep the others from their work; the next sweep makes up for it.
 */
export function createSweepLoop(parts: SweepParts, rules: Rules): () => Promise<SweepLoopResult> {
  const { isStopping, lengthMs = LENGTH_MS, pauseMs = PAUSE_MS } = rules;
  const { partLimitMs = PART_LIMIT_MS, stopWaitMs = STOP_WAIT_MS } = rules;
  return async () => {
    const { cancellationSignal: signal, heartbeat } = Context.current();
    const done = { sweeps: 0, failures: 0 };
    const beat = setInterval(() => heartbeat(done), HEARTBEAT_MS);
    const endMs = performance.now() + lengthMs;
    let upkeptMs = -Infinity;
    const isOver = () => signal.aborted || isStopping();
    let stopMs: number | undefined;

    /** Why a part that began then is left to itself now, if it is. */
    function endOf(begunMs: number): string | undefined {
      const nowMs = performance.now();
      if (isOver()) stopMs ??= nowMs + stopWaitMs;
      if (stopMs !== undefined && nowMs >= stopMs) return 'the worker stops';
      return nowMs - begunMs >= partLimitMs ? `not done after ${partLimitMs} ms` : undefined;
    }

    async function run<Name extends keyof SweepParts>(
      name: Name,
    ): Promise<void | Awaited<ReturnType<SweepParts[Name]>>> {
      try {
        return (await untilEnd(parts[name](), endOf)) as Awaited<ReturnType<SweepParts[Name]>>;
      } catch (error) {
        done.failures += 1;
        log.error('a part of a sweep failed; the next sweep makes up for it', { part: name, error: String(error) });
      }
    }

    async function sweepOnce(): Promise<void> {
      const swept = await run('sweepLedger');
      await run('sweepRuns');
      await run('sweepReviews');
      if (swept?.takesPayments !== false) await run('startAutoTopups');
      await run('startWebhooks');
      await run('syncSchedules');
      if (performance.now() - upkeptMs < MINUTE_MS) return;
      upkeptMs = performance.now();
      await run('reconcileSchedules');
      await run('upkeep');
    }

    try {
      while (performance.now() < endMs && !isOver()) {
        await sweepOnce();
        done.sweeps += 1;
        const nextMs = performance.now() + pauseMs;
        while (performance.now() < nextMs && !isOver()) await sleep(Math.min(LOOK_MS, pauseMs));
      }
    } finally {
      clearInterval(beat);
    }
    return done;
  };
}

async function untilEnd<Done>(work: Promise<Done>, endOf: (begunMs: number) => string | undefined): Promise<Done> {
  const begunMs = performance.now();
  let looks: NodeJS.Timeout | undefined;
  const left = new Promise<never>((_, reject) => {
    looks = setInterval(() => {
      const end = endOf(begunMs);
      if (end !== undefined) reject(new Error(end));
    }, LOOK_MS);
  });
  try {
    return await Promise.race([work, left]);
  } finally {
    clearInterval(looks);
  }
}
