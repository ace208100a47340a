import { isObject } from '../parts/isObject.ts';

/** A request or an answer, as a line of its conversation. */
export interface ContentLine {
  role: 'system' | 'user' | 'assistant' | 'tool' | 'prompt' | 'input' | 'answer';
  text: string;
  reasoning?: string;
  /** Calls of tools. */
  calls?: { id: string; name: string; arguments: string }[];
  /** The call that a tool's result answers. */
  callId?: string;
  /** What is not text: a file, an image, audio. */
  notes?: string[];
}

type Json = Record<string, unknown>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const jsonOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What was asked and answered, as messages. Undefined: it has another form, and is shown as JSON. */
export function linesOf({ request, answer }: { request?: unknown; answer?: unknown }): ContentLine[] | undefined {
  if (!isObject(request)) return undefined;
  const asked = askedIn(request);
  return asked.length === 0 ? undefined : [...asked, ...answeredIn(answer)];
}

/** The messages of a request to a text model; empty for other requests. */
export function askedIn(request: Json): ContentLine[] {
  if (Array.isArray(request.messages)) return listOf(request.messages).map(messageLine);
  if (request.prompt !== undefined) return textsIn(request.prompt).map((text) => ({ role: 'prompt', text }));
  if (typeof request.text === 'string') return [{ role: 'input', text: request.text }];
  if (isObject(request.file)) return [fileLine(request.file)];
  const { input, instructions } = request;
  const system: ContentLine[] = textOf(instructions) ? [{ role: 'system', text: textOf(instructions) }] : [];
  if (request.voice !== undefined) return [{ role: 'input', text: textOf(input) }];
  if (Array.isArray(input) && input.some(isObject)) return [...system, ...listOf(input).map(itemLine)];
  return [...system, ...textsIn(input).map((text): ContentLine => ({ role: 'user', text }))];
}

const textsIn = (value: unknown): string[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : [jsonOf(value)];
};

const fileLine = ({ filename, bytes }: Json): ContentLine => ({
  role: 'input',
  text: '',
  notes: [`${textOf(filename) || 'Audio'}, ${Number(bytes).toLocaleString('en-US')} bytes, not kept`],
});

const ROLES: Record<string, ContentLine['role']> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
};

function messageLine(message: Json): ContentLine {
  const { text, notes } = partsIn(message.content);
  const calls = listOf(message.tool_calls).map((call) => {
    const called = [call.function, call.custom].find(isObject) ?? {};
    return { id: textOf(call.id), name: textOf(called.name), arguments: textOf(called.arguments ?? called.input) };
  });
  return {
    role: ROLES[textOf(message.role)] ?? 'user',
    text: text || textOf(message.refusal),
    ...(notes.length > 0 && { notes }),
    ...(calls.length > 0 && { calls }),
    ...(message.tool_call_id !== undefined && { callId: textOf(message.tool_call_id) }),
    ...reasoningIn(message.reasoning_content ?? message.reasoning),
  };
}

const reasoningIn = (value: unknown): { reasoning?: string } => (textOf(value) ? { reasoning: textOf(value) } : {});

/** The texts of a message's content, and what else is in it. */
function partsIn(content: unknown): { text: string; notes: string[] } {
  if (typeof content === 'string') return { text: content, notes: [] };
  const texts: string[] = [];
  const notes: string[] = [];
  for (const part of listOf(content)) {
    const text = part.text ?? part.refusal;
    if (typeof text === 'string') texts.push(text);
    else notes.push(noteOf(part));
  }
  return { text: texts.join('\n\n'), notes };
}

function noteOf(part: Json): string {
  const inner = [part.image_url, part.input_audio, part.file].find(isObject) ?? part;
  const shown = [inner.url, inner.data, inner.file_data, inner.file_id, part.image_url].find(
    (one) => typeof one === 'string',
  );
  return `${textOf(part.type) || 'part'}: ${shown ?? jsonOf(part)}`;
}

function itemLine(item: Json): ContentLine {
  switch (item.type) {
    case 'function_call':
    case 'custom_tool_call': {
      const { call_id: id, name, arguments: args = item.input } = item;
      return { role: 'assistant', text: '', calls: [{ id: textOf(id), name: textOf(name), arguments: textOf(args) }] };
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { ...messageLine({ role: 'tool', content: item.output }), callId: textOf(item.call_id) };
    case 'reasoning':
      return { role: 'assistant', text: '', ...reasoningIn(partsIn(item.content ?? item.summary).text) };
    default:
      return messageLine(item);
  }
}

function answeredIn(answer: unknown): ContentLine[] {
  if (typeof answer === 'string') return [{ role: 'answer', text: answer }];
  if (!isObject(answer)) return [];
  if (Array.isArray(answer.choices))
    return listOf(answer.choices).map((choice) =>
      isObject(choice.message) ? messageLine(choice.message) : { role: 'answer', text: textOf(choice.text) },
    );
  if (Array.isArray(answer.output)) return listOf(answer.output).map(itemLine);
  if (answer.object === 'audio') return [{ role: 'answer', text: '', notes: [audioNote(answer)] }];
  if (Array.isArray(answer.data))
    return [
      {
        role: 'answer',
        text: '',
        notes: [`${answer.data.length === 1 ? '1 vector' : `${answer.data.length} vectors`}, not kept`],
      },
    ];
  return typeof answer.text === 'string' ? [{ role: 'answer', text: answer.text }] : [];
}

function audioNote({ media_type: type, bytes, duration_ms: ms }: Json): string {
  const seconds = typeof ms === 'number' ? `, ${(ms / 1_000).toFixed(1)} s` : '';
  return `${textOf(type)}${seconds}, ${Number(bytes).toLocaleString('en-US')} bytes, not kept here`;
}
