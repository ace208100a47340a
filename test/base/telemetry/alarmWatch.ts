import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import type { Firing, startPrometheus } from './alarmStage.ts';

// What does not scale with the clock: a busy machine, and figures that are read from the database at most so often.
const LATE_MS = 90_000;
// A machine that runs other work may stall a process for longer than on its own.
const TOLERATED = ['EventLoopBlocked'];

interface Expectation {
  /** Other alerts that the fault explains. */
  follows?: string[];
  /** When the fault began; now by default. */
  sinceMs?: number;
  withinMs?: number;
}

/** Notes when alerts fire, and which of them no fault explains. */
export function watchAlerts({ firing }: Awaited<ReturnType<typeof startPrometheus>>, minuteMs: number) {
  const seen = new Map<string, { atMs: number; labels: Firing }>();
  const explained = new Set(TOLERATED);
  const state = { isWatching: true };
  const watching = watch();

  async function watch(): Promise<void> {
    while (state.isWatching) {
      for (const labels of await firing().catch(() => []))
        if (!seen.has(labels.alertname)) seen.set(labels.alertname, { atMs: performance.now(), labels });
      await sleep(100);
    }
  }

  return {
    has: (alert: string) => seen.has(alert),
    /** The alerts fire from now on for a reason. */
    explain: (...alerts: string[]) => alerts.forEach((alert) => explained.add(alert)),
    /** Causes a fault, waits for its alert, and writes how long it took. Returns the alert's labels. */
    async raises(
      alert: string,
      fault: string,
      cause: () => Promise<unknown>,
      { follows = [], sinceMs = performance.now(), withinMs = 20 * minuteMs }: Expectation = {},
    ): Promise<Firing> {
      for (const name of [alert, ...follows]) explained.add(name);
      await cause();
      await until(() => seen.has(alert), { timeoutMs: LATE_MS + withinMs, pollMs: 50 });
      const { atMs, labels } = seen.get(alert)!;
      process.stderr.write(`| ${fault} | ${alert} | ${((atMs - sinceMs) / 1000).toFixed(1)} s |\n`);
      return labels;
    },
    /** After a fault is mended its alert ends, and can be seen anew. */
    async ends(alert: string): Promise<void> {
      const isOver = async () => (await firing()).every(({ alertname }) => alertname !== alert);
      await until(isOver, { timeoutMs: LATE_MS + 20 * minuteMs, pollMs: 200 });
      seen.delete(alert);
    },
    unexplained: (): Firing[] =>
      [...seen.values()].map(({ labels }) => labels).filter(({ alertname }) => !explained.has(alertname)),
    stop: async (): Promise<void> => {
      state.isWatching = false;
      await watching;
    },
  };
}
