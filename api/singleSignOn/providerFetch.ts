import { AsyncLocalStorage } from 'node:async_hooks';
import type { GuardedFetch } from '../../tools/guardedFetch.ts';
import { KIB } from '../../base/limits.ts';
import type { SingleSignOnConfig } from '../singleSignOnConfig.ts';

/** Opens a `fetch` for the identity providers of workspaces: it reaches public addresses and those permitted, and its answers are short. */
export async function openProviderFetch({ privateOrigins }: SingleSignOnConfig['singleSignOn']): Promise<GuardedFetch> {
  const { createGuardedFetch } = await import('../../tools/guardedFetch.ts');
  return createGuardedFetch({ allowPrivate: privateOrigins });
}

const guardedFetches = new AsyncLocalStorage<GuardedFetch['fetch']>();
const plainFetch = globalThis.fetch;

/**
 * Works with another `fetch` in place of the global one, which the accounts library uses: it reads answers of any length, and looks a name
 * up once to check its address and again to connect.
 */
export function fetchingBy<Result>(
  { fetch }: Pick<GuardedFetch, 'fetch'>,
  work: () => Promise<Result>,
): Promise<Result> {
  globalThis.fetch = fetchOfContext;
  return guardedFetches.run(fetch, work);
}

const fetchOfContext: typeof fetch = (input, init) => {
  const guarded = guardedFetches.getStore();
  if (!guarded) return plainFetch(input, init);
  if (input instanceof Request) return Promise.reject(new TypeError('a guarded fetch takes an address'));
  return guarded(input, init);
};

const ANSWER_BYTES_MAX = 256 * KIB;

/** The global `fetch` with short answers: for the operator's own provider, which may have any address. */
export const shortFetch: GuardedFetch['fetch'] = async (url, init) => {
  const { status, headers, body } = await plainFetch(url, init);
  let sizeBytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      sizeBytes += chunk.length;
      if (sizeBytes > ANSWER_BYTES_MAX) throw new Error('the answer is too long');
      controller.enqueue(chunk);
    },
  });
  return new Response(body && body.pipeThrough(counted), { status, headers });
};
