import { Pool } from 'undici';
import { ProviderError } from './provider.ts';

/**
 * How long an unused connection to an upstream that names no time itself is kept: setting up another one costs a first token several
 * round trips. Load balancers close theirs after a minute.
 */
const KEPT_MS = 55_000;

// A connection that was closed by its server shows that within a round trip.
const ROUND_TRIP_MS = 1_000;
const BREAKS = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** The connections to one upstream, which are kept between calls. */
export function createKeptConnections(origin: string, options: Pool.Options) {
  const kept = new Pool(origin, { ...options, keepAliveTimeout: KEPT_MS });
  // An upstream that ends one kept connection often ends all of them: a second attempt must not meet another one.
  const fresh = new Pool(origin, { ...options, pipelining: 0 });

  /**
   * Makes a call, and makes it again over a new connection if its own was a kept one that the upstream closed in the same moment: then the
   * call never reached anybody, and its caller did nothing wrong. Throws what the call throws.
   */
  async function call<T>(send: (pool: Pool) => Promise<T>): Promise<T> {
    const sentAtMs = performance.now();
    try {
      return await send(kept);
    } catch (error) {
      if (performance.now() - sentAtMs > ROUND_TRIP_MS || !isOfKeptConnection(error)) throw error;
      return send(fresh);
    }
  }

  /** Ends all connections, those in use included. */
  const close = async () => void (await Promise.all([kept.destroy(), fresh.destroy()]));

  return { call, close };
}

function isOfKeptConnection(error: unknown): boolean {
  if (!(error instanceof ProviderError) || error.fault !== 'unreachable') return false;
  const { code, socket } = error.cause as { code?: string; socket?: { bytesRead?: number } };
  // A connection that has never brought anything was not kept. Not every break tells.
  return BREAKS.has(String(code)) && socket?.bytesRead !== 0;
}
