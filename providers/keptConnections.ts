import { ProviderError } from './provider.ts';

/**
 * How long a pool keeps an unused connection to an upstream that names no time itself: setting up another one costs a first token
 * several round trips. Load balancers close theirs after a minute.
 */
export const KEPT_MS = 55_000;

// A connection that was closed by its server shows that within a round trip.
const ROUND_TRIP_MS = 1_000;
const BREAKS = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * Makes a call, and makes it again if its connection was a kept one that the upstream closed in the same moment: then the call never
 * reached anybody, and its caller did nothing wrong. Throws what the call throws.
 */
export async function onceMoreIfStale<T>(call: () => Promise<T>): Promise<T> {
  const sentAtMs = performance.now();
  try {
    return await call();
  } catch (error) {
    if (performance.now() - sentAtMs > ROUND_TRIP_MS || !isOfKeptConnection(error)) throw error;
    return call();
  }
}

function isOfKeptConnection(error: unknown): boolean {
  if (!(error instanceof ProviderError) || error.fault !== 'unreachable') return false;
  const { code, socket } = error.cause as { code?: string; socket?: { bytesRead?: number } };
  // A connection that has never brought anything was not kept. Not every break tells.
  return BREAKS.has(String(code)) && socket?.bytesRead !== 0;
}
