import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 10_000;

/** Polls until the condition holds; throws after ten seconds. */
export async function until(condition: () => boolean | Promise<boolean>, pollMs = 5): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`not so within ${patienceMs} ms: ${condition.toString()}`);
    await sleep(pollMs);
  }
}
