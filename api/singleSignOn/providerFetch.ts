import { AsyncLocalStorage } from 'node:async_hooks';
import type { GuardedFetch } from '../../tools/guardedFetch.ts';
import type { SingleSignOnConfig } from '../singleSignOnConfig.ts';

/** Opens a `fetch` for the identity providers of workspaces: it reaches public addresses and those permitted, and its answers are short. */
export async function openProviderFetch({ privateOrigins }: SingleSignOnConfig['singleSignOn']): Promise<GuardedFetch> {
  const { createGuardedFetch } = await import('../../tools/guardedFetch.ts');
  return createGuardedFetch({ allowPrivate: privateOrigins.map(hostOf) });
}

function hostOf(origin: string): string {
  const { hostname, port, protocol } = new URL(origin);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
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
