import type { Pool as KeptPool } from 'undici';
import { tracedConnections } from '../base/tracedDispatch.ts';
import { ProviderError } from './provider.ts';
import { Pool } from './undici.ts';

/**
 * How long an idle connection is kept if the upstream announces no time itself: a new connection delays the first token by several round
 * trips. Load balancers close idle connections after a minute.
 */
const KEPT_MS = 55_000;

// A connection closed by its server shows that within a round trip.
const ROUND_TRIP_MS = 1_000;
const BREAKS = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Reusable connections to one upstream. */
export function createKeptConnections(origin: string, options: KeptPool.Options) {
  const kept = tracedConnections(new Pool(origin, { ...options, keepAliveTimeout: KEPT_MS }), origin);
  // An upstream that closes one idle connection often closes all of them: the second attempt must use a new one.
  const fresh = tracedConnections(new Pool(origin, { ...options, pipelining: 0 }), origin);

  /**
   * Makes a call, and retries it over a new connection if the upstream closed the reused one at that moment: then the call never reached
   * the upstream. Throws what the call throws.
   */
  function call<T>(send: (pool: KeptPool) => Promise<T>): Promise<T> {
    const sentAtMs = performance.now();
    return send(kept).catch((error: unknown) => {
      if (performance.now() - sentAtMs > ROUND_TRIP_MS || !isOfKeptConnection(error)) throw error;
      return send(fresh);
    });
  }

  /** Closes all connections, those in use included. */
  const close = async () => void (await Promise.all([kept.destroy(), fresh.destroy()]));

  return { call, close };
}

function isOfKeptConnection(error: unknown): boolean {
  if (!(error instanceof ProviderError) || error.fault !== 'unreachable') return false;
  const { code, socket } = error.cause as { code?: string; socket?: { bytesRead?: number } };
  // A connection without any received byte was new, not reused. Some errors lack the counter.
  return BREAKS.has(String(code)) && socket?.bytesRead !== 0;
}
