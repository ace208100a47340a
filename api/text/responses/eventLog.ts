import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { PresentedResponse } from './presentResponse.ts';

type WithoutSequence<Event> = Event extends unknown ? Omit<Event, 'sequence_number'> : never;
type Whole<Event> = Event extends { response: unknown }
  ? Omit<Event, 'response'> & { response: PresentedResponse }
  : Event;

/** An event of a response stream, before it has its number. */
type NewEvent = WithoutSequence<Whole<ResponseStreamEvent>>;

/** Collects the events of one response stream as server-sent-event text, numbered from 0 without a gap. */
export interface EventLog {
  add(event: NewEvent): void;
  /** The text of the events added since the last call. */
  take(): string;
}

/** The log of one stream, empty. */
export function createEventLog(): EventLog {
  let sequence_number = 0;
  let text = '';
  return {
    add(event) {
      text += `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`;
      sequence_number++;
    },
    take() {
      const taken = text;
      text = '';
      return taken;
    },
  };
}
