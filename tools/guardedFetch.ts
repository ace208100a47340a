import { request } from 'undici';
import { AddressRefused, createGuardedAgent, isAllowedPrivate, type Egress } from './guardedAgent.ts';

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 256 * 1024;
// A response of these statuses may have no body.
const WITHOUT_BODY = new Set([204, 205, 304]);

/** `fetch` through the guarded agent. It follows no redirect, and its answers are short. */
export interface GuardedFetch {
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  close(): Promise<void>;
}

/** Opens a guarded `fetch`. Addresses must be `https:`, except at the hosts whose private addresses are allowed. */
export function createGuardedFetch(egress: Egress, { timeoutMs = TIMEOUT_MS } = {}): GuardedFetch {
  const agent = createGuardedAgent(egress);
  return {
    fetch: async (address, { method = 'GET', headers, body, signal } = {}) => {
      const url = new URL(address);
      if (url.protocol !== 'https:' && !isAllowedPrivate(egress, url))
        throw new AddressRefused(`'${url.host}' is not https`);
      const timeout = AbortSignal.timeout(timeoutMs);
      const answer = await request(url, {
        dispatcher: agent,
        method: method as 'GET' | 'POST',
        headers: Object.fromEntries(new Headers(headers)),
        body: textOf(body),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      const chunks: Buffer[] = [];
      let sizeBytes = 0;
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        sizeBytes += chunk.length;
        if (sizeBytes > ANSWER_BYTES_MAX) throw new Error('the answer is too long');
      }
      const { statusCode: status } = answer;
      const sent = Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      );
      return new Response(WITHOUT_BODY.has(status) ? null : Buffer.concat(chunks), { status, headers: sent });
    },
    close: () => agent.destroy(),
  };
}

// A body, in the forms that the OAuth client and the stores of objects send.
function textOf(body: RequestInit['body']): string | Uint8Array | null {
  if (body === undefined || body === null || typeof body === 'string') return body ?? null;
  if (body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('the body must be a text or a form');
}
