import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until the condition holds; throws when it has not within `patienceMs`. That is no promise of speed: a machine that is busy with other
 * tests takes many times as long as usual, and only what never comes is to be found out.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { pollMs = 5, patienceMs = 60_000 }: { pollMs?: number; patienceMs?: number } = {},
): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`not so within ${patienceMs} ms: ${condition.toString()}`);
    await sleep(pollMs);
  }
}
