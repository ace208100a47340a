import { isObject } from './json.ts';

/** The parts of a chat that may have members which are not read. */
interface AskedChat {
  messages: readonly object[];
  tools?: readonly object[] | null;
  response_format?: object | null;
  tool_choice?: object | string | null;
}

/** Members that are read, and those that never change an answer: cache markers, ids, and fields that clients copy from an answer. */
const READ = {
  message: [
    'role',
    'content',
    'name',
    'refusal',
    'tool_call_id',
    'tool_calls',
    'function_call',
    'id',
    'annotations',
    'parsed',
    'reasoning',
    'reasoning_content',
    'reasoning_details',
    'thinking_blocks',
    'cache_control',
    'provider_specific_fields',
  ],
  part: ['type', 'text', 'refusal', 'role', 'annotations', 'logprobs', 'cache_control', 'prompt_cache_breakpoint'],
  tool: ['type', 'function', 'cache_control'],
  function: ['name', 'description', 'parameters', 'strict', 'cache_control'],
  format: ['type'],
  schemaFormat: ['type', 'json_schema'],
  jsonSchema: ['name', 'description', 'schema', 'strict'],
  choice: ['type', 'function', 'allowed_tools'],
  chosen: ['name'],
  allowed: ['mode', 'tools'],
};

/**
 * The place of the first member inside a chat's messages, tools, format or choice of tools that would change another model's answer, but is
 * not read here; undefined if there is none.
 */
export function unreadMember(asked: AskedChat): string | undefined {
  for (const [value, read, place] of placesOf(asked)) {
    const name = unreadIn(value, read);
    if (name !== undefined) return `${place}.${name}`;
  }
  return undefined;
}

type Place = [value: unknown, read: readonly string[], place: string];

function* placesOf({ messages, tools, response_format: format, tool_choice: choice }: AskedChat): Generator<Place> {
  for (const [at, message] of messages.entries()) yield* placesInMessage(message, `messages[${at}]`);
  for (const [at, tool] of (tools ?? []).entries()) {
    yield [tool, READ.tool, `tools[${at}]`];
    yield [memberOf(tool, 'function'), READ.function, `tools[${at}].function`];
  }
  yield* placesInFormat(format);
  yield* placesInChoice(choice);
}

function* placesInMessage(message: object, place: string): Generator<Place> {
  yield [message, READ.message, place];
  const content = memberOf(message, 'content');
  if (!Array.isArray(content)) return;
  // Parts of other types are refused by their type, or have members of their own.
  for (const [at, part] of content.entries())
    if (['text', 'refusal'].includes(String(memberOf(part, 'type'))))
      yield [part, READ.part, `${place}.content[${at}]`];
}

function* placesInFormat(format: unknown): Generator<Place> {
  const hasSchema = memberOf(format, 'type') === 'json_schema';
  yield [format, hasSchema ? READ.schemaFormat : READ.format, 'response_format'];
  if (hasSchema) yield [memberOf(format, 'json_schema'), READ.jsonSchema, 'response_format.json_schema'];
}

function* placesInChoice(choice: unknown): Generator<Place> {
  yield [choice, READ.choice, 'tool_choice'];
  yield [memberOf(choice, 'function'), READ.chosen, 'tool_choice.function'];
  yield [memberOf(choice, 'allowed_tools'), READ.allowed, 'tool_choice.allowed_tools'];
}

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

const IDLE: readonly unknown[] = [null, undefined, false, ''];

/** Whether a value asks for nothing: it is off, or empty. */
const isIdle = (value: unknown): boolean =>
  IDLE.includes(value) || (typeof value === 'object' && Object.keys(value!).length === 0);

function unreadIn(value: unknown, read: readonly string[]): string | undefined {
  if (!isObject(value)) return undefined;
  return Object.keys(value).find((name) => !read.includes(name) && !isIdle(value[name]));
}
