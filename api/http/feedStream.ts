import type { Keys } from '../../db/keys/keys.ts';
import { keyEnded } from '../../base/errors/keyErrors.ts';
import type { Context } from '../context.ts';
import { EventStream, keepAlive } from './sse.ts';

const RETRY_MS = 2_000;
// An event without an id: a reader that resumes with another key misses nothing.
const ERROR_FRAME = `event: error\ndata: ${JSON.stringify({ error: keyEnded().body })}\n\n`;

/** A reader's events: the next ones as soon as there are any; undefined at its end. */
export interface Feed<Event> {
  next: () => Promise<Event[] | undefined>;
  close: () => void;
}

/** A feed that also ends when its reader's key ends. */
export interface KeyedFeed<Event> extends Feed<Event> {
  hasKeyEnded(): boolean;
}

/** Ends a feed when its reader's key ends. */
export function endWithKey<Event>(feed: Feed<Event>, keys: Pick<Keys, 'watch'>, keyId: string): KeyedFeed<Event> {
  let hasEnded = false;
  const stopWatchingKey = keys.watch(keyId, () => {
    hasEnded = true;
    feed.close();
  });
  const close = () => {
    stopWatchingKey();
    feed.close();
  };
  return { next: feed.next, close, hasKeyEnded: () => hasEnded };
}

interface Streamed<Event> {
  textOf: (events: Event[]) => string;
  /** Watches the reader's rights and session. */
  watchReader: (onEnd: () => void) => () => void;
  isLast?: (event: Event) => boolean;
  /** Where a reader resumes that is cut off before the first event. */
  firstId?: string | undefined;
}

/**
 * Answers with the events of a feed, as server-sent events. Ends with the last event, if there is one, with an error when the reader's key
 * ends, and without one when its rights change or the reader's session ends: its reader continues with those that it has then, if they
 * suffice. Resolves when the stream has ended or its reader has disconnected.
 */
export async function streamFeed<Event>(
  ctx: Context,
  feed: KeyedFeed<Event>,
  { textOf, watchReader, isLast = () => false, firstId }: Streamed<Event>,
): Promise<void> {
  const { res } = ctx;
  // Without an id it is sent with the first event: some clients would read it alone as an event without data.
  const out = new EventStream(ctx, `retry: ${RETRY_MS}\n${firstId === undefined ? '' : `id: ${firstId}\n\n`}`);
  res.on('close', feed.close);
  const stopWatching = watchReader(feed.close);
  // Comments have no id, so they do not move the reader's resume position.
  const stopKeepAlive = keepAlive(res, () => out);
  try {
    // An answer to HEAD has no body.
    if (!res.destroyed && ctx.method !== 'HEAD') await forward();
  } finally {
    stopKeepAlive();
    stopWatching();
    feed.close();
    out.end(feed.hasKeyEnded() ? ERROR_FRAME : '');
  }

  async function forward(): Promise<void> {
    for (;;) {
      const events = await feed.next();
      if (!events) return;
      const full = out.write(textOf(events));
      if (full) await full;
      if (isLast(events.at(-1)!)) return;
    }
  }
}

/** An event object as a server-sent event. */
export const frameOf = ({ id, type, json }: { id: string; type: string; json: string }): string =>
  `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
