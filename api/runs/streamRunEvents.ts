import type { EventText } from '../../db/runs/events/readEvents.ts';
import type { Context } from '../context.ts';
import { keyEnded } from '../errors/keyErrors.ts';
import type { Services } from '../services.ts';
import { openSse } from '../stream/sse.ts';
import { openKeyedFeed } from './keyedFeed.ts';

const RETRY_MS = 2_000;
const KEEP_ALIVE_MS = 10_000;
// Without an id too: a reader that continues with another key has missed nothing.
const ERROR_FRAME = `event: error\ndata: ${JSON.stringify({ error: keyEnded().body })}\n\n`;
const LAST_TYPES = new Set(['run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached']);

/**
 * Answers with a run's events after the number `after`, as server-sent events, and ends with the run's last one, or with an error when
 * the reader's key ends. `reached` is how far the run has come at least. Resolves when the stream has ended or its reader is gone.
 */
export async function streamRunEvents(
  ctx: Context,
  services: Pick<Services, 'db'>,
  place: { workspaceId: string; runId: string; after: number; reached: number },
): Promise<void> {
  const { res } = ctx;
  ctx.respond = false;
  // A field of the first event: alone, some clients would take it for an event without data.
  const out = openSse(res, `retry: ${RETRY_MS}\n`);
  const feed = openKeyedFeed(services, ctx.state.key.keyId, place);
  res.on('close', feed.close);
  // A comment without an id, so that it does not move the reader's resume position. Readers that are behind do not need one.
  const keepAlive = setInterval(() => {
    if (res.writableLength === 0) void out.write(': keep-alive\n\n');
  }, KEEP_ALIVE_MS);
  try {
    // An answer to HEAD has no body.
    if (!res.destroyed && ctx.method !== 'HEAD') await forward(feed.next, out.write);
  } finally {
    clearInterval(keepAlive);
    feed.close();
    out.end(feed.hasKeyEnded() ? ERROR_FRAME : '');
  }
}

async function forward(
  next: () => Promise<EventText[] | undefined>,
  write: (text: string) => Promise<void> | undefined,
): Promise<void> {
  for (;;) {
    const events = await next();
    if (!events) return;
    const full = write(events.map(frameOf).join(''));
    if (full) await full;
    if (LAST_TYPES.has(events.at(-1)!.type)) return;
  }
}

function frameOf({ id, type, json }: EventText): string {
  return `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
}
