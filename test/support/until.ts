import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until the condition holds; throws after `timeoutMs`. This does not limit speed: a busy machine takes many times as long as usual,
 * and only a condition that never holds must fail.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { pollMs = 5, timeoutMs = 60_000 }: { pollMs?: number; timeoutMs?: number } = {},
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`not so within ${timeoutMs} ms: ${condition.toString()}`);
    await sleep(pollMs);
  }
}

/** Retries a request while the first one with its Idempotency-Key is still in progress. */
export async function untilAnswered(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await send();
    if (response.status !== 409 || response.headers.get('x-should-retry') !== 'true') return response;
  }
}
