import { askedIn, linesOf, type ContentLine } from './contentMessages.ts';
import { newConversation, newThread, titleOf, type Conversation, type Message } from '../playground/conversation.ts';
import { UNSET, type Parameters } from '../playground/parameters.ts';
import { isObject } from '../parts/isObject.ts';

type Json = Record<string, unknown>;

/** A kept call of a text model as a conversation, with its parameters and answer. Undefined: it is of another kind. */
export function replayOf(model: string, { request, answer }: { request?: unknown; answer?: unknown }) {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return undefined;
  const asked = request as Json;
  if (!Array.isArray(asked.messages) && (asked.input === undefined || asked.voice !== undefined)) return undefined;
  const lines = linesOf({ request, answer }) ?? askedIn(asked);
  const messages = lines.filter(({ role }) => role !== 'system').map(messageOf);
  const conversation = newConversation(model, parametersOf(asked, lines));
  const replay: Conversation = { ...conversation, threads: [newThread(model, messages)] };
  return { ...replay, title: titleOf(replay) };
}

function messageOf({ role, text, reasoning, calls, callId, notes = [] }: ContentLine): Message {
  const content = [text, ...notes.map((note) => `[${note}]`)].filter(Boolean).join('\n\n');
  if (role === 'tool') return { role, content, toolCallId: callId ?? '' };
  if (role !== 'assistant' && role !== 'answer') return { role: 'user', content };
  return { role: 'assistant', content, ...(reasoning && { reasoning }), ...(calls && { toolCalls: calls }) };
}

function parametersOf(asked: Json, lines: ContentLine[]): Parameters {
  const numberIn = (...names: string[]): number | '' => {
    const found = names.map((name) => asked[name]).find((value) => typeof value === 'number');
    return typeof found === 'number' ? found : '';
  };
  const { stop } = asked;
  return {
    ...UNSET,
    system: lines.flatMap(({ role, text }) => (role === 'system' ? [text] : [])).join('\n\n'),
    temperature: numberIn('temperature'),
    topP: numberIn('top_p'),
    maxTokens: numberIn('max_completion_tokens', 'max_tokens', 'max_output_tokens'),
    frequencyPenalty: numberIn('frequency_penalty'),
    presencePenalty: numberIn('presence_penalty'),
    seed: numberIn('seed'),
    stop: typeof stop === 'string' ? [stop] : Array.isArray(stop) ? stop.map(String) : [],
    ...formatIn(asked),
    tools: toolsIn(asked),
  };
}

const asJson = (value: unknown): Json => (isObject(value) ? value : {});

/** Of a chat, or of a response, which has its schema one level higher. */
function formatIn(asked: Json): Partial<Parameters> {
  const format = asJson(asked.response_format ?? asJson(asked.text).format);
  if (format.type === 'json_object') return { format: 'json_object' };
  if (format.type !== 'json_schema') return {};
  const schema = asJson(format.json_schema).schema ?? format.schema ?? {};
  return { format: 'json_schema', schema: JSON.stringify(schema, null, 2) };
}

function toolsIn({ tools }: Json): string {
  if (!Array.isArray(tools) || tools.length === 0) return '';
  const functions = tools.map((tool: unknown) => {
    const { type, function: own, ...rest } = asJson(tool);
    return own === undefined ? { type, function: rest } : tool;
  });
  return JSON.stringify(functions, null, 2);
}
