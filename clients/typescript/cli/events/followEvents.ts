import { APIConnectionError, RateLimitError, ServerError, type Ledgerline } from '../../src/index.ts';
import { eventsOf } from '../../src/eventStream.ts';
import { sleep } from '../../src/http.ts';

/** An event as it came: `body` is what a webhook posts, byte by byte. */
export interface ReceivedEvent {
  id: string;
  type: string;
  body: string;
}

export interface FollowOptions {
  types: string[];
  signal: AbortSignal;
  /** Called at each connection; `isFirst` at the first one. */
  onOpen: (isFirst: boolean) => void;
  /** Called when the connection is lost, once until the next one. */
  onLost: (reason: string) => void;
}

const DELAY_FIRST_MS = 250;
const DELAY_MAX_MS = 10_000;

/**
 * The events of the workspace from now on, each once and in order, until the signal is aborted. A lost connection is opened again, for as
 * long as it takes, and goes on after the last event; before the first one, after the newest event of the beginning.
 */
export async function* followEvents(client: Ledgerline, options: FollowOptions): AsyncGenerator<ReceivedEvent> {
  const { signal, onOpen, onLost } = options;
  let last: string | undefined;
  let isFirst = true;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      if (failures > 0) await sleep(Math.min(DELAY_MAX_MS, DELAY_FIRST_MS * 2 ** Math.min(failures, 6)), signal);
      const response = await open(client, options, last);
      last ??= response.headers.get('last-event-id') ?? undefined;
      onOpen(isFirst);
      isFirst = false;
      failures = 0;
      for await (const { id, event: type = '', data: body } of eventsOf(response, { signal })) {
        yield { id, type, body };
        // Only now: what was not handled is sent again.
        last = id;
      }
      onLost('The stream ended.');
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error) || isFirst) throw error;
      if (failures === 0) onLost((error as Error).message);
    }
  }
}

async function open(client: Ledgerline, { types, signal }: FollowOptions, last: string | undefined): Promise<Response> {
  const { response } = await client.api.GET('/platform/v1/events/stream', {
    params: {
      query: types.length > 0 ? { types: types.join(',') } : {},
      header: last === undefined ? {} : { 'Last-Event-ID': last },
    },
    headers: { accept: 'text/event-stream' },
    parseAs: 'stream',
    signal,
  });
  return response;
}

/** Errors of the connection, as opposed to a refusal, which would come again. */
const isPassing = (error: unknown): boolean =>
  error instanceof APIConnectionError ||
  error instanceof ServerError ||
  error instanceof RateLimitError ||
  // Of a connection that breaks while it is read.
  error instanceof TypeError;
