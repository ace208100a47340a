import type { RunFeed } from '../../db/events/followRuns.ts';
import type { EventText } from '../../db/events/readEvents.ts';
import { findRun, isTerminal, LAST_EVENT_TYPES, type RunRow } from '../../db/runs/runRow.ts';
import type { Context } from '../context.ts';
import { keyEnded } from '../../base/errors/keyErrors.ts';
import { chooserOf, type Include } from './chosenEvents.ts';
import { EventStream, keepAlive } from '../http/sse.ts';
import type { Services } from '../services.ts';

const RETRY_MS = 2_000;
// An event without an id: a reader that resumes with another key misses nothing.
const ERROR_FRAME = `event: error\ndata: ${JSON.stringify({ error: keyEnded().body })}\n\n`;
const LAST_TYPES = new Set<string>(LAST_EVENT_TYPES);

/**
 * Answers with a run's events after the number `after`, as server-sent events, of the groups in `include`. Ends with the run's last event, or with an error when the
 * reader's key ends. The run has reached at least `reached`. Resolves when the stream has ended or its reader has disconnected.
 */
export async function streamRunEvents(
  ctx: Context,
  services: Pick<Services, 'db'>,
  { include, ...place }: { workspaceId: string; runId: string; after: number; reached: number; include: Include },
): Promise<void> {
  const { res } = ctx;
  const choose = chooserOf(include);
  // Sent with the first event: some clients would read it alone as an event without data.
  const out = new EventStream(ctx, `retry: ${RETRY_MS}\n`);
  const feed = openKeyedFeed(services, ctx.state.key.keyId, place);
  res.on('close', feed.close);
  // Comments have no id, so they do not move the reader's resume position.
  const stopKeepAlive = keepAlive(res, () => out);
  try {
    // An answer to HEAD has no body.
    if (!res.destroyed && ctx.method !== 'HEAD') await forward({ next: feed.next, choose }, out);
  } finally {
    stopKeepAlive();
    feed.close();
    out.end(feed.hasKeyEnded() ? ERROR_FRAME : '');
  }
}

interface Chosen {
  next: RunFeed['next'];
  choose: ReturnType<typeof chooserOf>;
}

async function forward({ next, choose }: Chosen, out: EventStream): Promise<void> {
  for (;;) {
    const events = await next();
    if (!events) return;
    const full = out.write(choose(events).map(frameOf).join(''));
    if (full) await full;
    if (LAST_TYPES.has(events.at(-1)!.type)) return;
  }
}

function frameOf({ id, type, json }: EventText): string {
  return `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
}

/**
 * Resolves with the run when it has ended or waits for its caller, when the wait is over, or when the caller has disconnected. Throws 401
 * when the caller's key ends.
 */
export async function awaitRun(ctx: Context, { db }: Services, run: RunRow, waitMs: number): Promise<RunRow> {
  const { id: runId, workspace_id: workspaceId, last_sequence: last } = run;
  const feed = openKeyedFeed({ db }, ctx.state.key.keyId, { workspaceId, runId, after: last, reached: last });
  const timer = setTimeout(feed.close, waitMs);
  ctx.res.on('close', feed.close);
  try {
    let current = run;
    while (!isTerminal(current.status) && current.status !== 'requires_action' && (await feed.next()) !== undefined)
      current = (await findRun(db.read(workspaceId), runId)) ?? current;
    if (feed.hasKeyEnded()) throw keyEnded();
    return current;
  } finally {
    clearTimeout(timer);
    feed.close();
  }
}

/** A feed that also ends when its reader's key ends. */
interface KeyedFeed extends RunFeed {
  hasKeyEnded(): boolean;
}

/** Opens a feed of a run's events after the number `after`, which ends with the caller's key. The run has reached at least `reached`. */
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
