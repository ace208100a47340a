import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the condition holds; throws when it has not within `patienceMs`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { pollMs = 5, patienceMs = 10_000 }: { pollMs?: number; patienceMs?: number } = {},
): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`not so within ${patienceMs} ms: ${condition.toString()}`);
    await sleep(pollMs);
  }
}
