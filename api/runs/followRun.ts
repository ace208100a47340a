import type { EventText } from '../../db/events/readEvents.ts';
import { findRun, isTerminal, LAST_EVENT_TYPES, type RunRow } from '../../db/runs/runRow.ts';
import type { Context } from '../context.ts';
import { keyEnded } from '../../base/errors/keyErrors.ts';
import { chooserOf, type Include } from './chosenEvents.ts';
import { watchReader } from '../guard/session.ts';
import { endWithKey, frameOf, streamFeed, type KeyedFeed } from '../http/feedStream.ts';
import { onClose } from '../http/onClose.ts';
import type { Services } from '../services.ts';

const LAST_TYPES = new Set<string>(LAST_EVENT_TYPES);

/**
 * Answers with a run's events after the number `after`, as server-sent events, of the groups in `include`. Ends with the run's last event,
 * or as `streamFeed` does with the reader's key, rights or session. The run has reached at least `reached`. Resolves when the stream has
 * ended or its reader has disconnected.
 */
export async function streamRunEvents(
  ctx: Context,
  services: Services,
  { include, ...place }: { workspaceId: string; runId: string; after: number; reached: number; include: Include },
): Promise<void> {
  const choose = chooserOf(include);
  await streamFeed(ctx, openKeyedFeed(services, ctx.state.key.keyId, place), {
    textOf: (events) => choose(events).map(frameOf).join(''),
    watchReader: watchReader(services, ctx),
    isLast: ({ type }) => LAST_TYPES.has(type),
  });
}

/**
 * Resolves with the run as it was last read: when it has ended or waits for its caller, when the wait is over, or when the caller has
 * disconnected. Throws 401 when the caller's key ends.
 */
export async function awaitRun(ctx: Context, { db }: Services, run: RunRow, waitMs: number): Promise<RunRow> {
  const { id: runId, workspace_id: workspaceId, last_sequence: last } = run;
  const feed = openKeyedFeed({ db }, ctx.state.key.keyId, { workspaceId, runId, after: last, reached: last });
  const timer = setTimeout(feed.close, waitMs);
  onClose(ctx.res, feed.close);
  try {
    let current = run;
    while (!isTerminal(current.status) && current.status !== 'requires_action' && (await feed.next()) !== undefined)
      current = (await findRun(db.read(workspaceId), runId).catch(() => undefined)) ?? current;
    if (feed.hasKeyEnded()) throw keyEnded();
    return current;
  } finally {
    clearTimeout(timer);
    feed.close();
  }
}

/** Opens a feed of a run's events after the number `after`, which ends with the caller's key. The run has reached at least `reached`. */
export function openKeyedFeed(
  { db }: Pick<Services, 'db'>,
  keyId: string,
  { after, reached, ...run }: { workspaceId: string; runId: string; after: number; reached: number },
): KeyedFeed<EventText> {
  return endWithKey(db.runFollows.open(run, { after, reached }), db.keys, keyId);
}
