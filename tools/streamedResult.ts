import { isObject, parseExact } from '../base/json.ts';
import { faultOfValue } from './foreignJson.ts';
import type { ToolContext, ToolProgress } from './tool.ts';

const MESSAGE_CHARACTERS_MAX = 500;
const EVENTS = 'text/event-stream';
const LINES = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];

/** Whether an answer of this media type is a stream of messages. */
export const isStream = (mediaType: string): boolean => mediaType === EVENTS || LINES.includes(mediaType);

type Result = { text: string; isError: boolean };

/** Reads the messages of a tool as they arrive. */
export interface StreamReader {
  /** Reads on. True once there is a result: the rest does not matter. */
  push(chunk: Uint8Array): boolean;
  /** The result; an error when the stream has none. */
  end(): Result;
}

/**
 * Reads server-sent events, or lines of JSON. A message has the type `progress`, `result` or `error`, in its JSON or as the event's name;
 * others are ignored.
 */
export function createStreamReader(mediaType: string, onProgress: Required<ToolContext>['onProgress']): StreamReader {
  const decoder = new TextDecoder();
  const isEvents = mediaType === EVENTS;
  let rest = '';
  let endsWithReturn = false;
  let event = { name: '', data: [] as string[] };
  let result: Result | undefined;

  function take(name: string, data: string): void {
    const message = messageIn(name, data);
    if (message?.type === 'progress') onProgress(progressIn(message));
    else if (message) result ??= resultIn(message);
  }

  function takeLine(line: string): void {
    if (!isEvents) return line.trim() === '' ? undefined : take('', line);
    if (line === '') {
      if (event.data.length > 0) take(event.name, event.data.join('\n'));
      event = { name: '', data: [] };
      return;
    }
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line)!;
    if (field === 'event') event.name = value!;
    if (field === 'data') event.data.push(value!);
  }

  function takeText(text: string, isLast: boolean): void {
    // A line in many pieces is looked at once, when it ends.
    if (!isLast && !endsWithReturn && !/[\r\n]/.test(text)) {
      rest += text;
      return;
    }
    endsWithReturn = text.endsWith('\r');
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = isLast ? '' : lines.pop()!;
    for (const line of lines) if (!result) takeLine(line);
  }

  return {
    push: (chunk) => {
      takeText(decoder.decode(chunk, { stream: true }), false);
      return result !== undefined;
    },
    end: () => {
      // Many servers leave out the last line end.
      if (!result) takeText(`${decoder.decode()}\n\n`, true);
      return result ?? { text: 'ended its stream without a result.', isError: true };
    },
  };
}

interface Message {
  type: 'progress' | 'result' | 'error';
  /** Its members, if it is an object. */
  members: Record<string, unknown>;
  data: string;
}

function messageIn(name: string, data: string): Message | undefined {
  let value: unknown;
  try {
    value = parseExact(data);
  } catch {
    value = undefined;
  }
  const members = isObject(value) ? value : {};
  const type = name === '' || name === 'message' ? members.type : name;
  return type === 'progress' || type === 'result' || type === 'error' ? { type, members, data } : undefined;
}

function progressIn({ members, data }: Message): ToolProgress {
  const { message, percentage } = members;
  const said = typeof message === 'string' ? message : Object.keys(members).length > 0 ? '' : data;
  const isShare = typeof percentage === 'number' && percentage >= 0 && percentage <= 100;
  return {
    message: said.slice(0, MESSAGE_CHARACTERS_MAX).toWellFormed(),
    percentage: isShare ? percentage : null,
  };
}

function resultIn({ type, members, data }: Message): Result {
  if (type === 'error') {
    const { message } = members;
    return { text: `failed: ${typeof message === 'string' ? message : data}`, isError: true };
  }
  if (!Object.hasOwn(members, 'result')) return { text: data, isError: false };
  const value = members.result;
  if (typeof value === 'string') return { text: value, isError: false };
  const fault = faultOfValue(value, { hasDigits: true });
  return fault
    ? { text: `sent a result that cannot be used: ${fault}.`, isError: true }
    : { text: JSON.stringify(value), isError: false };
}
