import { setTimeout as sleep } from 'node:timers/promises';

// A long wait polls less often, and ends at most a tenth late: polls of a database or of Temporal take CPU time from the awaited work.
const WAITED_SHARE = 0.1;
const PAUSE_MS_MAX = 50;

/**
 * Polls until the condition holds; throws after `timeoutMs`. This does not limit speed: a busy machine takes many times as long as usual,
 * and only a condition that never holds must fail.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { pollMs = 5, timeoutMs = 60_000 }: { pollMs?: number; timeoutMs?: number } = {},
): Promise<void> {
  const beganMs = performance.now();
  while (!(await condition())) {
    const waitedMs = performance.now() - beganMs;
    if (waitedMs > timeoutMs) throw new Error(`not so within ${timeoutMs} ms: ${condition.toString()}`);
    await sleep(Math.max(pollMs, Math.min(waitedMs * WAITED_SHARE, PAUSE_MS_MAX)));
  }
}

/** Retries a request while the first one with its Idempotency-Key is still in progress. */
export async function untilAnswered(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await send();
    if (response.status !== 409 || response.headers.get('x-should-retry') !== 'true') return response;
  }
}
