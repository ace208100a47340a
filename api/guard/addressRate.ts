import { guard, type Guard } from '../context.ts';
import { rateLimitExceeded } from '../../base/errors/limitErrors.ts';
import { networkOf } from './throttling.ts';
import { clientAddressOf } from './allowedAddress.ts';
import { MINUTE_MS } from './rate.ts';

const NETWORKS_MAX = 20_000;

/**
 * Limits requests without a key per minute and network, in this process. Throws 429 `rate_limit_exceeded`. `now` is a clock in
 * milliseconds.
 */
export function addressRate(rpm: number, now: () => number = () => performance.now()): Guard {
  // When a network's whole minute is free again.
  const freeAtMs = new Map<string, number>();

  return guard([429], (ctx, next) => {
    const network = networkOf(clientAddressOf(ctx));
    const nowMs = now();
    const nextMs = Math.max(nowMs, freeAtMs.get(network) ?? 0) + MINUTE_MS / rpm;
    const waitMs = nextMs - nowMs - MINUTE_MS;
    if (waitMs > 0) throw rateLimitExceeded(rpm, waitMs);
    // Evicts the oldest network, so that a flood of addresses takes no memory.
    freeAtMs.delete(network);
    freeAtMs.set(network, nextMs);
    if (freeAtMs.size > NETWORKS_MAX) freeAtMs.delete(freeAtMs.keys().next().value!);
    return next();
  });
}
