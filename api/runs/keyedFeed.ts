import type { RunFeed } from '../../db/runs/events/followRuns.ts';
import type { Services } from '../services.ts';

/** A feed that also ends when its reader's key does. */
export interface KeyedFeed extends RunFeed {
  hasKeyEnded(): boolean;
}

/** Opens a feed of a run's events after the number `after`, which ends with the caller's key. The run has come to `reached` at least. */
export function openKeyedFeed(
  { db }: Pick<Services, 'db'>,
  keyId: string,
  { after, reached, ...run }: { workspaceId: string; runId: string; after: number; reached: number },
): KeyedFeed {
  const feed = db.runFollows.open(run, { after, reached });
  let hasEnded = false;
  const stopWatchingKey = db.keys.watch(keyId, () => {
    hasEnded = true;
    feed.close();
  });
  const close = () => {
    stopWatchingKey();
    feed.close();
  };
  return { next: feed.next, close, hasKeyEnded: () => hasEnded };
}
