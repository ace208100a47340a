import type { Logger } from 'pino';
import { createLocalLimits } from './localLimits.ts';
import type { Limits } from './rate.ts';

/** Rate limits in this process's memory, or in a Valkey or Redis server that several processes share. */
export async function openLimits({
  defaultRpm,
  defaultConcurrency,
  redisUrl,
  log,
}: {
  defaultRpm: number;
  defaultConcurrency: number;
  redisUrl: string | null;
  log: Logger;
}): Promise<Limits> {
  const defaults = { rpm: defaultRpm, concurrency: defaultConcurrency };
  if (redisUrl === null) return createLocalLimits(defaults);
  // Loaded only by processes that share limits, because the client is a large module.
  const [{ openLimitStore }, { createSharedLimits }] = await Promise.all([
    import('./limitStore.ts'),
    import('./sharedLimits.ts'),
  ]);
  const store = await openLimitStore(redisUrl, (error) => {
    if (error) log.warn({ err: error }, 'limits are counted by each process alone: their store is away');
    else log.info('limits are shared again');
  });
  return createSharedLimits(defaults, store);
}
