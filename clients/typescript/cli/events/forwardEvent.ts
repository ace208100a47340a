import { sleep } from '../../src/http.ts';
import { usageError } from '../failure.ts';
import type { ReceivedEvent } from './followEvents.ts';
import { signedHeaders } from './signing.ts';

export interface Receiver {
  url: string;
  secret: string;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Called when the receiver is not there and is tried again. */
  onRetry: () => void;
}

/** What the receiver did: its status, or why there is none. */
export type Forwarded = { durationMs: number } & ({ status: number } | { problem: string });

// As long as the service waits for a webhook.
const TIMEOUT_MS = 15_000;
const RETRY_DELAYS_MS = [250, 500, 1_000, 2_000, 4_000];
const ABSENT = ['ECONNREFUSED', 'ECONNRESET'];

/** Posts an event as the service posts webhooks. A receiver that starts just now is tried a few times. */
export async function forwardEvent(event: ReceivedEvent, receiver: Receiver): Promise<Forwarded> {
  for (const delayMs of [...RETRY_DELAYS_MS, null]) {
    const startedMs = performance.now();
    const answer = await post(event, receiver);
    const durationMs = Math.round(performance.now() - startedMs);
    if (typeof answer === 'number') return { status: answer, durationMs };
    if (!ABSENT.includes(answer.code) || delayMs === null) return { problem: answer.message, durationMs };
    if (delayMs === RETRY_DELAYS_MS[0]) receiver.onRetry();
    await sleep(delayMs, receiver.signal);
  }
  throw new Error('unreachable');
}

async function post(event: ReceivedEvent, { url, secret, headers, signal }: Receiver) {
  const own = { 'content-type': 'application/json', 'user-agent': 'Ledgerline-Webhooks' };
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...own, ...headers, ...signedHeaders(secret, event) },
      body: event.body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    signal.throwIfAborted();
    const { name, cause } = error as Error & { cause?: { code?: string; message?: string } };
    if (name === 'TimeoutError') return { code: name, message: `no answer within ${TIMEOUT_MS / 1000} s` };
    return {
      code: cause?.code ?? name,
      message:
        cause?.code === 'ECONNREFUSED'
          ? 'nobody listens there'
          : `the connection failed (${cause?.code ?? (error as Error).message})`,
    };
  }
}

/** The address of a receiver: `3000/hook`, `localhost:3000/hook` and whole addresses. */
export function receiverUrlOf(text: string): string {
  const address = /^:?\d+(\/|$)/.test(text) ? `http://localhost:${text.replace(/^:/, '')}` : text;
  const whole = address.includes('://') ? address : `http://${address}`;
  if (URL.canParse(whole) && /^https?:$/.test(new URL(whole).protocol)) return new URL(whole).href;
  throw usageError(`${text} is not an address.`, 'For example: --forward http://localhost:3000/hook');
}
