import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

// A client that takes nothing for this long is gone, whatever its socket says.
const DRAIN_LIMIT_MS = 60_000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

export type SseWriter = ReturnType<typeof openSse>;

/** Starts an event stream on a response: status 200 and its headers leave at once, with the first text. */
export function openSse(res: ServerResponse, firstText: string) {
  res.writeHead(200, HEADERS);
  let bytes = 0;
  void write(firstText);
  if (firstText === '') res.flushHeaders();

  /** Writes text; waits when the client is slower than the stream, so that nothing piles up here. */
  function write(text: string): Promise<void> | undefined {
    if (text === '') return undefined;
    bytes += text.length;
    return res.write(text) || res.destroyed ? undefined : drained(res);
  }

  return {
    write,
    end: (text: string) => {
      bytes += text.length;
      res.end(text);
    },
    bytes: () => bytes,
  };
}

/** Waits until a client has taken what was written; one that takes nothing for a minute is cut off. */
export async function drained(res: ServerResponse): Promise<void> {
  const give = new AbortController();
  const timer = setTimeout(() => res.destroy(), DRAIN_LIMIT_MS);
  try {
    await Promise.race([once(res, 'drain', { signal: give.signal }), once(res, 'close', { signal: give.signal })]);
  } finally {
    clearTimeout(timer);
    give.abort();
  }
}
