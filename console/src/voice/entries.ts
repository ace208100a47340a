import type { RealtimeEvent, RealtimeItem } from './realtimeEvents.ts';

/** A line of the conversation as the page shows it. */
export interface Message {
  kind: 'message';
  id: string;
  role: 'user' | 'assistant';
  text: string;
  /** More of the text follows. */
  isPending: boolean;
  /** The part of a stopped answer that was heard. */
  heardMs?: number;
  costUsd?: number;
}

export interface ToolCall {
  kind: 'call';
  id: string;
  callId: string;
  name: string;
  arguments: string;
  output: string | null;
}

export type Entry = Message | ToolCall;

/** The conversation after an event; the same list if the event changes nothing in it. */
export function withEvent(entries: Entry[], event: RealtimeEvent): Entry[] {
  switch (event.type) {
    case 'conversation.item.added':
      return withItem(entries, event.item);
    case 'conversation.item.done':
      return event.item.type === 'function_call'
        ? changed(entries, event.item.id, { arguments: event.item.arguments ?? '' })
        : entries;
    case 'conversation.item.retrieved':
      return changed(entries, event.item.id, { text: textOf(event.item) });
    case 'conversation.item.truncated':
      return changed(entries, event.item_id, { heardMs: event.audio_end_ms, isPending: false });
    case 'conversation.item.input_audio_transcription.delta':
    case 'response.output_audio_transcript.delta':
    case 'response.output_text.delta':
      return entries.map((entry) =>
        entry.id === event.item_id && entry.kind === 'message' ? { ...entry, text: entry.text + event.delta } : entry,
      );
    case 'conversation.item.input_audio_transcription.completed':
      return changed(entries, event.item_id, { text: event.transcript, isPending: false });
    case 'conversation.item.input_audio_transcription.failed':
      return changed(entries, event.item_id, { text: `(${event.error.message})`, isPending: false });
    case 'response.done':
      return withResponse(entries, event.response.output, event.response.usage?.cost);
    case 'session.created':
    case 'input_audio_buffer.speech_started':
    case 'input_audio_buffer.speech_stopped':
    case 'response.created':
    case 'response.output_audio.delta':
    case 'error':
      return entries;
    default:
      // The service sends more than the page reads.
      event satisfies never;
      return entries;
  }
}

/** Items of a response are complete; the last one shows its cost. */
function withResponse(entries: Entry[], output: RealtimeItem[], costUsd: number | undefined): Entry[] {
  const ids = new Set(output.map(({ id }) => id));
  const last = output.findLast(({ type }) => type === 'message')?.id;
  return entries.map((entry) =>
    entry.kind === 'message' && ids.has(entry.id)
      ? { ...entry, isPending: false, ...(entry.id === last && costUsd !== undefined && { costUsd }) }
      : entry,
  );
}

function withItem(entries: Entry[], item: RealtimeItem): Entry[] {
  if (entries.some(({ id }) => id === item.id)) return entries;
  const { id, type, role, call_id: callId = '', name = '', output = '' } = item;
  if (type === 'function_call')
    return [...entries, { kind: 'call', id, callId, name, arguments: item.arguments ?? '', output: null }];
  if (type === 'function_call_output')
    return entries.map((entry) => (entry.kind === 'call' && entry.callId === callId ? { ...entry, output } : entry));
  if (role !== 'user' && role !== 'assistant') return entries;
  const text = textOf(item);
  return [...entries, { kind: 'message', id, role, text, isPending: text === '' }];
}

const textOf = ({ content = [] }: RealtimeItem): string =>
  content.map(({ text, transcript }) => text ?? transcript ?? '').join('');

const changed = (entries: Entry[], id: string, change: object): Entry[] =>
  entries.map((entry) => (entry.id === id ? { ...entry, ...change } : entry));
