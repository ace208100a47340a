import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { Reasoning } from 'openai/resources/shared';
import { grownText } from '../../../base/grownText.ts';
import { newId, randomText } from '../../../db/ids.ts';
import {
  customCallItem,
  functionCallItem,
  messageItem,
  reasoningItem,
  reasoningPart,
  textPart,
  type ItemStatus,
  type Logprob,
  type MessagePart,
  type OutputItem,
} from './outputItems.ts';
import type { PresentedResponse } from './presentResponse.ts';

/** An output item that is being streamed: creating it sends its `added` event, closing it its `done` events. */
export type StreamedItem = StreamedMessage | StreamedReasoning | StreamedCall;

interface Closable {
  /** Ends the item and returns it whole. */
  close(status: ItemStatus): OutputItem;
}

interface StreamedMessage extends Closable {
  kind: 'message';
  addText(delta: string, logprobs: Logprob[]): void;
  addRefusal(delta: string): void;
}

interface StreamedReasoning extends Closable {
  kind: 'reasoning';
  add(delta: string): void;
}

interface StreamedCall extends Closable {
  kind: 'call';
  /** The call's place among the upstream's tool calls, and its id there. */
  upstreamIndex: number;
  upstreamId: string;
  add(delta: string): void;
}

/** Starts a message. Its parts are opened as text or refusal arrives. */
export function streamMessage(log: EventLog, output_index: number): StreamedMessage {
  const item_id = newId('msg');
  const parts: MessagePart[] = [];
  const added = messageItem(item_id, 'in_progress', []);
  log.add({ type: 'response.output_item.added', output_index, item: added });

  const closePart = (): void => {
    const part = parts.at(-1);
    if (part === undefined) return;
    const place = { item_id, output_index, content_index: parts.length - 1 };
    if (part.type === 'refusal') log.add({ type: 'response.refusal.done', ...place, refusal: part.refusal });
    else log.add({ type: 'response.output_text.done', ...place, text: part.text, logprobs: part.logprobs ?? [] });
    log.add({ type: 'response.content_part.done', ...place, part });
  };
  const openPart = <Part extends MessagePart>(part: Part): Part => {
    closePart();
    parts.push(part);
    log.add({ type: 'response.content_part.added', item_id, output_index, content_index: parts.length - 1, part });
    return part;
  };

  return {
    kind: 'message',
    addText(delta, logprobs) {
      const last = parts.at(-1);
      const part = last?.type === 'output_text' ? last : openPart(textPart('', []));
      if (delta === '') return;
      part.text = grownText(part.text, delta);
      part.logprobs?.push(...logprobs);
      const content_index = parts.length - 1;
      log.add({ type: 'response.output_text.delta', item_id, output_index, content_index, delta, logprobs });
    },
    addRefusal(delta) {
      const last = parts.at(-1);
      const part = last?.type === 'refusal' ? last : openPart({ type: 'refusal', refusal: '' });
      part.refusal = grownText(part.refusal, delta);
      log.add({ type: 'response.refusal.delta', item_id, output_index, content_index: parts.length - 1, delta });
    },
    close(status) {
      closePart();
      const item = messageItem(item_id, status, parts);
      log.add({ type: 'response.output_item.done', output_index, item });
      return item;
    },
  };
}

/** Starts a reasoning item with its one part, of its content or of its summary. */
export function streamReasoning(
  log: EventLog,
  output_index: number,
  asked: Reasoning | null = null,
): StreamedReasoning {
  const item_id = newId('rs');
  const { addPart, addDelta, addDone } = asked?.summary ? SUMMARY : CONTENT;
  let text = '';
  const place = { item_id, output_index };
  log.add({ type: 'response.output_item.added', output_index, item: reasoningItem(item_id, 'in_progress', []) });
  addPart(log, place);
  return {
    kind: 'reasoning',
    add(delta) {
      text = grownText(text, delta);
      addDelta(log, place, delta);
    },
    close(status) {
      const item = reasoningItem(item_id, status, [reasoningPart(asked, text)]);
      addDone(log, place, text);
      log.add({ type: 'response.output_item.done', output_index, item });
      return item;
    },
  };
}

type Place = { item_id: string; output_index: number };

/** The events of reasoning's one part, while it grows. */
interface ReasoningEvents {
  addPart: (log: EventLog, place: Place) => void;
  addDelta: (log: EventLog, place: Place, delta: string) => void;
  addDone: (log: EventLog, place: Place, text: string) => void;
}

const contentPart = (text: string) => ({ content_index: 0, part: { type: 'reasoning_text' as const, text } });
const CONTENT: ReasoningEvents = {
  addPart: (log, place) => log.add({ type: 'response.content_part.added', ...place, ...contentPart('') }),
  addDelta: (log, place, delta) =>
    log.add({ type: 'response.reasoning_text.delta', ...place, content_index: 0, delta }),
  addDone: (log, place, text) => {
    log.add({ type: 'response.reasoning_text.done', ...place, content_index: 0, text });
    log.add({ type: 'response.content_part.done', ...place, ...contentPart(text) });
  },
};

const summaryPart = (text: string) => ({ summary_index: 0, part: { type: 'summary_text' as const, text } });
const SUMMARY: ReasoningEvents = {
  addPart: (log, place) => log.add({ type: 'response.reasoning_summary_part.added', ...place, ...summaryPart('') }),
  addDelta: (log, place, delta) =>
    log.add({ type: 'response.reasoning_summary_text.delta', ...place, summary_index: 0, delta }),
  addDone: (log, place, text) => {
    log.add({ type: 'response.reasoning_summary_text.done', ...place, summary_index: 0, text });
    log.add({ type: 'response.reasoning_summary_part.done', ...place, ...summaryPart(text) });
  },
};

type UpstreamCall = { index: number; id: string; name: string };

/** What differs between the kinds of calls: how the item is built from the model's text, and its events. */
interface CallKind {
  idPrefix: string;
  /** What a finished call has that the model wrote nothing for. */
  empty: string;
  itemOf: (id: string, status: ItemStatus, call: { call_id: string; name: string }, written: string) => OutputItem;
  addDelta: (log: EventLog, place: Place, delta: string) => void;
  addDone: (log: EventLog, place: Place, written: string) => void;
}

const FUNCTION_CALL: CallKind = {
  idPrefix: 'fc',
  empty: '{}',
  itemOf: (id, status, call, written) => functionCallItem(id, status, { ...call, arguments: written }),
  addDelta: (log, place, delta) => log.add({ type: 'response.function_call_arguments.delta', ...place, delta }),
  addDone: (log, place, written) =>
    log.add({ type: 'response.function_call_arguments.done', ...place, arguments: written }),
};

const CUSTOM_CALL: CallKind = {
  idPrefix: 'ctc',
  empty: '',
  itemOf: (id, status, call, written) => customCallItem(id, status, { ...call, input: written }),
  addDelta: (log, place, delta) => log.add({ type: 'response.custom_tool_call_input.delta', ...place, delta }),
  addDone: (log, place, written) => log.add({ type: 'response.custom_tool_call_input.done', ...place, input: written }),
};

/** Starts a function call. Its arguments are JSON, in pieces as the upstream sends them. */
export const streamCall = (log: EventLog, output_index: number, upstream: UpstreamCall): StreamedCall =>
  streamToolCall(FUNCTION_CALL, log, output_index, upstream);

/** Starts a call of a custom tool. */
export const streamCustomCall = (log: EventLog, output_index: number, upstream: UpstreamCall): StreamedCall =>
  streamToolCall(CUSTOM_CALL, log, output_index, upstream);

function streamToolCall(kind: CallKind, log: EventLog, output_index: number, upstream: UpstreamCall): StreamedCall {
  const item_id = newId(kind.idPrefix);
  const call = { call_id: upstream.id || newId('call'), name: upstream.name };
  const place = { item_id, output_index };
  let written = '';
  const itemNow = (status: ItemStatus) => kind.itemOf(item_id, status, call, written);
  const add = (delta: string): void => {
    if (delta === '') return;
    written = grownText(written, delta);
    kind.addDelta(log, place, delta);
  };
  log.add({ type: 'response.output_item.added', output_index, item: itemNow('in_progress') });
  return {
    kind: 'call',
    upstreamIndex: upstream.index,
    upstreamId: upstream.id,
    add,
    close(status) {
      if (written === '' && status === 'completed') add(kind.empty);
      const item = itemNow(status);
      kind.addDone(log, place, written);
      log.add({ type: 'response.output_item.done', output_index, item });
      return item;
    },
  };
}

type WithoutSequence<Event> = Event extends unknown ? Omit<Event, 'sequence_number'> : never;
type Whole<Event> = Event extends { response: unknown }
  ? Omit<Event, 'response'> & { response: PresentedResponse }
  : Event;

/** An event of a response stream, before it has its number. */
type NewEvent = WithoutSequence<Whole<ResponseStreamEvent>>;

/** Collects the events of one response stream as server-sent-event text, numbered from 0 without a gap. */
interface EventLog {
  add(event: NewEvent): void;
  /** The text of the events added since the last call. */
  take(): string;
}

/** Deltas are padded to a multiple of this. */
const PADDED_CHARS = 32;

/** The log of one stream, empty. With `obfuscates`, deltas carry random text that hides how long they are. */
export function createEventLog({ obfuscates }: { obfuscates: boolean }): EventLog {
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
