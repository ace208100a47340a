import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Context } from '../context.ts';
import { elapsedMs } from './answer.ts';

// A client that takes nothing for this long is gone, whatever its socket says.
const DRAIN_LIMIT_MS = 60_000;
const KEEP_ALIVE_MS = 10_000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** A request's answer as server-sent events. Its head, with status 200, leaves when the stream is made. */
export class EventStream {
  /** When the first event left. Comments do not count. */
  firstByteMs: number | null = null;
  bytes = 0;
  #ctx: Context | undefined;

  constructor(ctx: Context, firstText: string) {
    this.#ctx = ctx;
    // From here on Koa has nothing to answer.
    ctx.respond = false;
    ctx.res.writeHead(200, HEADERS);
    if (firstText === '') ctx.res.flushHeaders();
    else void this.write(firstText);
  }

  /** Sends events; waits while the client is slower than the stream, so that nothing piles up here. */
  send(events: string): Promise<void> | undefined {
    this.firstByteMs ??= elapsedMs(this.#ctx!);
    return this.write(events);
  }

  /** The same for a comment, or the beginning of an event. */
  write(text: string): Promise<void> | undefined {
    if (text === '') return undefined;
    this.bytes += text.length;
    return writeTo(this.#ctx!.res, text);
  }

  /** Sends the last events. The request is given up before: this object may be kept until a large garbage collection. */
  end(text: string): void {
    this.bytes += text.length;
    const { res } = this.#ctx!;
    this.#ctx = undefined;
    res.end(text);
  }
}

/** The text of an event that is JSON and has no name. */
export const dataEvent = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

/**
 * Sends a comment every 10 s, because clients and proxies give up on a silent stream, and a model may think for minutes before its first
 * word. A client that is behind needs none. Returns what ends it.
 */
export function keepAlive(res: ServerResponse, open: () => EventStream): () => void {
  const timer = setInterval(() => {
    if (!res.destroyed && res.writableLength === 0) void open().write(': keep-alive\n\n');
  }, KEEP_ALIVE_MS);
  return () => clearInterval(timer);
}

/** Sends text or bytes; resolves when there is room for more. */
export function writeTo(res: ServerResponse, data: Uint8Array | string): Promise<void> | undefined {
  return res.write(data) || res.destroyed ? undefined : drained(res);
}

/** Waits until a client has taken what was written; one that takes nothing for a minute is cut off. */
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
