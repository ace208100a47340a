import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { chunksOf } from './http.ts';

// The service sends something every 10 seconds.
const IDLE_TIMEOUT_MS = 35_000;

/** An event with an id; those without concern the connection. */
export type StreamedEvent = EventSourceMessage & { id: string };

/** The events of an answer as they come. Throws when nothing comes for `idleMs`, or when the signal is aborted. */
export async function* eventsOf(
  response: Response,
  { signal, idleMs = IDLE_TIMEOUT_MS }: { signal?: AbortSignal | undefined; idleMs?: number | undefined },
): AsyncGenerator<StreamedEvent> {
  const ready: StreamedEvent[] = [];
  const parser = createParser({ onEvent: (event) => event.id && ready.push({ ...event, id: event.id }) });
  const decoder = new TextDecoder();
  for await (const bytes of chunksOf(response, idleMs, signal)) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* ready.splice(0);
  }
}
