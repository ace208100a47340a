import type { z } from 'zod';
import { isObject } from '../../../base/json.ts';
import type { AgentConfiguration } from '../../../db/agents/configuration.ts';
import { dataIn, responseFormat } from '../../../db/agents/modelSettings.ts';
import type { Json } from '../../../providers/provider.ts';
import { sentenceOf } from '../../body/fastApiWords.ts';
import { RunOrder, TEXT_CHARACTERS_MAX } from '../../../orders/order.ts';
import type { ParsedText } from '../../../calls/text/parameters/parameters.ts';
import { InvalidRequest, invalidValue } from '../../../base/errors/invalidRequest.ts';
import { filesIn, type ContentPart } from './chatFiles.ts';
import type { SentFile } from '../sentFiles.ts';

/** The parts of a chat or responses request that become a run's order. */
export interface AgentRequest {
  parsed: ParsedText;
  /** The members of the request as it was sent. */
  sent: Json;
  /** The member that holds the conversation: `messages` or `input`. */
  place: 'messages' | 'input';
  metadata: Record<string, string>;
}

/** Members that an agent's answer honours, or that do not affect it. */
const HONOURED = new Set([
  'model',
  'messages',
  'input',
  'instructions',
  'stream',
  'stream_options',
  'metadata',
  'store',
  'user',
  'safety_identifier',
  'response_format',
  'text',
  'modalities',
]);
// Values without effect, which some clients always send.
const IDLE: Record<string, unknown[]> = {
  n: [1],
  truncation: ['disabled'],
  service_tier: ['auto'],
  tools: [],
  include: [],
};

/** The longest wait of a chat for its run: the timeout of OpenAI's clients. */
const TIMEOUT_SECONDS = 600;

type Order = z.output<typeof RunOrder>;

const UNSTORED = 'file_0';

/**
 * The order of the run that answers a request, and the files in the request. A parameter that the agent's publisher has set is refused.
 * `metadata` may set a cost limit (`max_cost_usd`) and a session to continue (`session_id`).
 */
export function orderOfChat(
  { parsed, sent: body, place, metadata }: AgentRequest,
  configuration: AgentConfiguration,
): { sent: SentFile[]; withFiles: (ids: string[]) => Order } {
  for (const [name, value] of Object.entries(body)) if (!isHonoured(name, value)) throw notForAgents(name);
  const { max_cost_usd: maxCost, session_id: sessionId } = metadata;
  const messages = parsed.body.messages as ChatMessage[];
  const sent = messages.flatMap(({ content }, index) => filesIn(content, `${place}[${index}]`));
  const input = inputOf(messages, { place, configuration, isContinued: sessionId !== undefined });
  const order = {
    agent: parsed.model,
    response_format: formatOf(parsed.body.response_format as Json | undefined),
    max_cost_usd: maxCost === undefined ? undefined : Number(maxCost),
    session_id: sessionId,
    timeout_seconds: TIMEOUT_SECONDS,
    metadata,
  };
  const withFiles = (ids: string[]) => {
    const files = ids.map((id) => ({ type: 'input_file', file_id: id }));
    const items = typeof input === 'string' ? [{ type: 'input_text', text: input }] : input;
    return checked({ ...order, input: files.length > 0 ? [...items, ...files] : input }, { place, metadata });
  };
  // Errors outside of the files are thrown before the files are stored.
  withFiles(sent.map(() => UNSTORED));
  return { sent, withFiles };
}

function checked(order: object, { place, metadata }: Pick<AgentRequest, 'place' | 'metadata'>): Order {
  const result = RunOrder.safeParse(order);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const [name] = issue.path as [string];
  const param = name in metadata ? `metadata.${name}` : name === 'input' ? place : name;
  throw invalidValue(param, `Invalid '${param}': ${sentenceOf(issue, order)}`);
}

function isHonoured(name: string, value: unknown): boolean {
  if (value === null || HONOURED.has(name)) return true;
  if (!Object.hasOwn(IDLE, name)) return false;
  return IDLE[name]!.includes(value) || (Array.isArray(value) && value.length === 0);
}

const notForAgents = (name: string) =>
  new InvalidRequest(
    'unsupported_parameter',
    name,
    `Unsupported parameter: '${name}' is not supported with an agent as the model, because its publisher decides about it. Leave it out.`,
  );

function formatOf(format: Json | undefined) {
  if (!format || format.type === 'text') return undefined;
  if (format.type !== 'json_schema') throw notForAgents('response_format');
  const checked = responseFormat.safeParse(format);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0]!;
  const param = ['response_format', ...issue.path].join('.');
  throw invalidValue(param, `Invalid '${param}': ${sentenceOf(issue, format)}`);
}

interface ChatMessage {
  role: string;
  content?: string | ContentPart[] | null;
}

interface Conversation {
  place: string;
  configuration: AgentConfiguration;
  /** The session has the earlier messages. */
  isContinued: boolean;
}

function inputOf(messages: ChatMessage[], { place, configuration, isContinued }: Conversation) {
  const last = messages.length - 1;
  const at = (index: number) => `${place}[${index}]`;
  if (messages[last]?.role !== 'user') throw invalidValue(place, 'The last message must be the user’s.');
  const question = textOf(messages[last], at(last));
  if (configuration.input_schema) {
    const data = dataIn(question);
    if (last > 0)
      throw invalidValue(place, 'This agent takes one message: an object of JSON that fits its input_schema.');
    if (!isObject(data)) throw invalidValue(at(last), 'This agent takes an object of JSON that fits its input_schema.');
    return [{ type: 'input_data', data }];
  }
  if (isContinued || last === 0) return question;
  const earlier = messages
    .slice(0, last)
    .map((message, index) => `${nameOf(message, at(index))}: ${textOf(message, at(index))}`);
  const text = `The conversation so far:\n\n${earlier.join('\n\n')}\n\nThe user’s new message:\n\n${question}`;
  if (text.length <= TEXT_CHARACTERS_MAX) return text;
  throw new InvalidRequest(
    'context_length_exceeded',
    place,
    `The messages have ${text.length} characters, and an agent takes ${TEXT_CHARACTERS_MAX}. Shorten them, ` +
      'or continue a session: metadata.session_id.',
  );
}

const NAMES: Record<string, string> = { system: 'System', developer: 'System', user: 'User', assistant: 'Assistant' };

function nameOf({ role }: ChatMessage, place: string): string {
  const name = NAMES[role];
  if (name === undefined)
    throw invalidValue(`${place}.role`, 'An agent calls its own tools: send no results of tools.');
  return name;
}

function textOf({ content }: ChatMessage, place: string): string {
  if (typeof content === 'string') return content;
  const texts = (content ?? []).flatMap(({ type, text }) => (type === 'text' ? [text ?? ''] : []));
  if (texts.length > 0 || content === null || content === undefined) return texts.join('\n');
  throw invalidValue(`${place}.content`, 'An agent takes a text beside the files.');
}
