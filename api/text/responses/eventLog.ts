import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { randomText } from '../../../db/ids.ts';
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

/** Deltas are padded to a multiple of this. */
const PADDED_CHARS = 32;

/** The log of one stream, empty. With `obfuscates`, deltas carry random text that hides how long they are. */
export function createEventLog({ obfuscates = false }: { obfuscates?: boolean } = {}): EventLog {
  let sequence_number = 0;
  let text = '';
  return {
    add(event) {
      text += `event: ${event.type}\ndata: ${JSON.stringify({ ...event, ...(obfuscates && paddingOf(event)), sequence_number })}\n\n`;
      sequence_number++;
    },
    take() {
      const taken = text;
      text = '';
      return taken;
    },
  };
}

function paddingOf(event: NewEvent): { obfuscation?: string } {
  if (!('delta' in event) || typeof event.delta !== 'string') return {};
  return { obfuscation: randomText(PADDED_CHARS - (event.delta.length % PADDED_CHARS)) };
}
