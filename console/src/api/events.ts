import { useEffect, useRef, useState } from 'react';
import { send } from './client.ts';
import { isRefused } from './failure.ts';
import { boundSilence, STREAM_SILENCE_MS } from './silence.ts';

/** One server-sent event. `data` is its text: JSON, or `[DONE]`. */
export interface ServerEvent {
  id: string | null;
  event: string;
  data: string;
}

/** The events of an answer, as they arrive. `onText` is called for anything that comes, also for a comment. */
export async function* eventsOf(response: Response, onText: () => void = () => {}): AsyncGenerator<ServerEvent> {
  let rest = '';
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    onText();
    const blocks = (rest + text).split(/\r?\n\r?\n/);
    rest = blocks.pop()!;
    for (const block of blocks) {
      const event = eventIn(block);
      if (event) yield event;
    }
  }
}

function eventIn(block: string): ServerEvent | null {
  const fields: Record<string, string[]> = {};
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name) (fields[name] ??= []).push(value!);
  }
  // A block that contains only comments keeps the connection open.
  return fields.data
    ? { id: fields.id?.at(-1) ?? null, event: fields.event?.at(-1) ?? 'message', data: fields.data.join('\n') }
    : null;
}

const RETRY_MS = 1_000;

interface Handlers {
  onEvent: (event: ServerEvent) => void;
  isLast: (event: ServerEvent) => boolean;
  onRefused: () => void;
}

/**
 * Follows an event stream while the component is mounted, and resumes it after a disconnect. `path` is the API's own; null follows nothing.
 * `isLast` detects the last event. `onRefused`: it cannot be followed any more, because the session has ended for example; a query that
 * is read again then tells so.
 */
export function useEventStream(
  path: string | null,
  { onEvent, isLast, onRefused }: Handlers,
): 'idle' | 'open' | 'retrying' | 'ended' {
  const [state, setState] = useState<'idle' | 'open' | 'retrying' | 'ended'>('idle');
  const handlers = useRef({ onEvent, isLast, onRefused });
  handlers.current = { onEvent, isLast, onRefused };

  useEffect(() => {
    const stop = new AbortController();
    if (path !== null) void follow(path, stop.signal, handlers, setState);
    return () => stop.abort();
  }, [path]);
  return state;
}

async function follow(
  path: string,
  signal: AbortSignal,
  handlers: { current: Handlers },
  report: (state: 'open' | 'retrying' | 'ended') => void,
): Promise<void> {
  let lastId: string | null = null;
  while (!signal.aborted) {
    const line = connection(signal);
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream' };
      if (lastId !== null) headers['last-event-id'] = lastId;
      const response = await send(path, { headers, signal: line.signal });
      report('open');
      for await (const event of eventsOf(response, line.heard)) {
        lastId = event.id ?? lastId;
        handlers.current.onEvent(event);
        if (handlers.current.isLast(event)) return report('ended');
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isRefused(error)) {
        handlers.current.onRefused();
        return report('ended');
      }
    } finally {
      line.close();
    }
    report('retrying');
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** A connection is given up when the network is gone too, and when it is back, which may be another one. */
function connection(outer: AbortSignal) {
  const { signal, giveUp, heard, end } = boundSilence(outer, STREAM_SILENCE_MS);
  addEventListener('online', giveUp);
  addEventListener('offline', giveUp);
  return {
    signal,
    heard,
    close: () => {
      end();
      removeEventListener('online', giveUp);
      removeEventListener('offline', giveUp);
    },
  };
}
