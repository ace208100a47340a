import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { KeptCall } from '../../db/answers/keptCall.ts';
import type { Context } from '../context.ts';
import { headLineOf } from './keptHead.ts';
import { elapsedMsOf } from '../../calls/caller.ts';

// A client that reads nothing for this long counts as disconnected, whatever its socket reports.
const DRAIN_LIMIT_MS = 60_000;
const KEEP_ALIVE_MS = 10_000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** A request's answer as server-sent events. Its head, with status 200, is sent when the object is created. */
export class EventStream {
  /** When the first event was sent. Comments do not count. */
  firstByteMs: number | null = null;
  bytes = 0;
  readonly #ctx: Context;
  /** Stores the events, without comments. */
  #kept: KeptCall | undefined;

  constructor(ctx: Context, firstText: string) {
    this.#ctx = ctx;
    // The response is sent here, not by Koa.
    ctx.respond = false;
    const { kept } = ctx.state;
    if (kept) {
      const head = headLineOf(ctx, HEADERS);
      this.#kept = kept;
      kept.begin(head);
      kept.add(firstText);
    }
    ctx.res.writeHead(200, HEADERS);
    this.bytes += firstText.length;
    if (firstText === '') ctx.res.flushHeaders();
    // Together with the head, whose bytes are not UTF-8.
    else void writeTo(ctx.res, firstText);
  }

  /** Sends events. Waits while the client is slower than the stream, so that the buffer stays small. */
  send(events: string): Promise<void> | undefined {
    this.firstByteMs ??= elapsedMsOf(this.#ctx.state);
    this.#kept?.add(events);
    return this.write(events);
  }

  /** Sends a comment, or a part of an event. */
  write(text: string): Promise<void> | undefined {
    if (text === '') return undefined;
    this.bytes += text.length;
    return roomFor(this.#ctx.res, writeEvents(this.#ctx.res, text));
  }

  /** Sends the last events. */
  end(text: string): void {
    this.bytes += text.length;
    this.#kept?.add(text);
    this.#ctx.res.end(text);
  }
}

/** An unnamed event with JSON data. */
export const dataEvent = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

/** A comment, which every reader of events skips. */
export const KEEP_ALIVE = ': keep-alive\n\n';

/**
 * Sends a comment every 10 s, because clients and proxies give up on a silent stream, and a model may take minutes until its first word. A
 * client with unread data needs none. `text` is sent in the comment's place, in another format. Returns a function that stops it.
 */
export function keepAlive(res: ServerResponse, open: () => Pick<EventStream, 'write'>, text = KEEP_ALIVE): () => void {
  const timer = setInterval(() => {
    if (!res.destroyed && res.writableLength === 0) void open().write(text);
  }, KEEP_ALIVE_MS);
  return () => clearInterval(timer);
}

/** Node writes a chunk of a body in four pieces: its size, its data and two line ends. This writes the same bytes in one. */
function writeEvents(res: ServerResponse, text: string): boolean {
  if (!res.chunkedEncoding) return res.write(text);
  const bytes = Buffer.byteLength(text);
  res.chunkedEncoding = false;
  try {
    return res.write(`${bytes.toString(16)}\r\n${text}\r\n`, bytes === text.length ? 'latin1' : 'utf8');
  } finally {
    res.chunkedEncoding = true;
  }
}

/** Sends text or bytes; resolves when there is room for more. */
export function writeTo(res: ServerResponse, data: Uint8Array | string): Promise<void> | undefined {
  return roomFor(res, res.write(data));
}

const roomFor = (res: ServerResponse, hasRoom: boolean): Promise<void> | undefined =>
  hasRoom || res.destroyed ? undefined : drained(res);

/** Waits until the client has read the written data. A client that reads nothing for a minute is disconnected. */
async function drained(res: ServerResponse): Promise<void> {
  const give = new AbortController();
  const timer = setTimeout(() => res.destroy(), DRAIN_LIMIT_MS);
  try {
    await Promise.race([once(res, 'drain', { signal: give.signal }), once(res, 'close', { signal: give.signal })]);
  } finally {
    clearTimeout(timer);
    give.abort();
  }
}
