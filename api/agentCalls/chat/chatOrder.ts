import type { z } from 'zod';
import { isObject } from '../../../base/json.ts';
import { unreadMember } from '../../../base/unreadMembers.ts';
import { holdsResultFiles } from '../../../base/resultFiles.ts';
import type { AgentConfiguration } from '../../../db/agents/configuration.ts';
import { dataIn, responseFormat } from '../../../db/agents/modelSettings.ts';
import type { Json } from '../../../providers/provider.ts';
import { sentenceOf } from '../../body/fastApiWords.ts';
import { numberIn } from '../../body/sentQuery.ts';
import { refuseUnstorable } from '../../../calls/text/parameters/refusal.ts';
import { charactersIn, TEXT_CHARACTERS_MAX } from '../../../orders/inputItems.ts';
import { RunOrder } from '../../../orders/order.ts';
import type { ResponseItem } from '../../../calls/text/responses/responseItem.ts';
import type { ParsedText } from '../../../calls/text/parameters/parameters.ts';
import { placeIn, type MessagePlace } from '../../../calls/text/responses/toMessages.ts';
import { InvalidRequest, invalidValue } from '../../../base/errors/invalidRequest.ts';
import { filesIn } from './chatFiles.ts';
import { contentOf, itemsOf, textOf, UNSTORED, type ChatMessage } from './chatItems.ts';
import type { SentFile } from '../sentFiles.ts';

/** The parts of a chat or responses request that become a run's order. */
export interface AgentRequest {
  parsed: ParsedText;
  /** The members of the request as it was sent. */
  sent: Json;
  /** The member that holds the conversation: `messages` or `input`. */
  place: 'messages' | 'input';
  /** The places of the messages of a response. */
  places?: MessagePlace[];
  metadata: Record<string, string>;
  /** The items of a response's input, which may continue a run by approvals. */
  items?: string | ResponseItem[];
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
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
]);
// OpenAI's defaults, which some clients always send, and which say what happens anyway. Empty lists and objects do, too.
const IDLE: Record<string, unknown[]> = {
  n: [1],
  top_p: [1],
  stop: [],
  verbosity: ['medium'],
  truncation: ['disabled'],
  service_tier: ['auto'],
  tools: [],
  tool_choice: ['auto'],
  parallel_tool_calls: [true],
  include: [],
  reasoning: [],
  logprobs: [false],
  top_logprobs: [0],
  logit_bias: [],
  presence_penalty: [0],
  frequency_penalty: [0],
};

const DEFAULT_TEMPERATURE = 1;

/** The longest wait of a chat for its run: the timeout of OpenAI's clients. */
const TIMEOUT_SECONDS = 600;

type Order = z.output<typeof RunOrder>;

/** The order of a chat's run, the files in its messages, and the place in the request of a member of the order. */
export interface ChatOrder {
  sent: SentFile[];
  withFiles: (ids: string[]) => Order;
  placeOf: (param: string) => string;
}

/**
 * The order of the run that answers a request. A parameter that the agent's publisher has set is refused. `metadata` may set a cost limit
 * (`max_cost_usd`) and a session to continue (`session_id`).
 */
export function orderOfChat(
  { parsed, sent: body, place, places: own, metadata }: AgentRequest,
  configuration: AgentConfiguration,
): ChatOrder {
  for (const [name, value] of Object.entries(body))
    if (!isHonoured(name, value, configuration)) throw notForAgents(name);
  const unread = unreadIn(parsed.body, place);
  if (unread !== undefined) {
    const message = `Unsupported parameter: an agent does not read '${unread.slice(0, 100)}'. Leave it out.`;
    throw new InvalidRequest('unsupported_parameter', unread.slice(0, 100), message);
  }
  const { max_cost_usd: maxCost, session_id: sessionId } = metadata;
  const messages = placed(parsed.body.messages as ChatMessage[], { place, own }, sessionId !== undefined);
  const isTyped = Boolean(configuration.input_schema);
  const order = {
    agent: parsed.model,
    response_format: formatOf(parsed.body.response_format as Json | undefined),
    max_cost_usd: numberIn(maxCost),
    session_id: sessionId,
    user: (body.user ?? body.safety_identifier) || undefined,
    timeout_seconds: TIMEOUT_SECONDS,
    metadata,
  };
  const sent = messages.flatMap(({ message, at }) => filesIn(message.content, at));
  const { input: asked, places } = (isTyped ? dataOf : inputOf)(messages, place);
  const placeOf = (param: string) => {
    if (param === 'agent') return 'model';
    if (param in metadata) return `metadata.${param}`;
    const [name, at] = param.split('.');
    return name === 'input' ? (places[Number(at)] ?? place) : param;
  };
  const withFiles = (ids: string[]) => checked({ ...order, input: asked([...ids]) }, placeOf);
  // Errors outside of the files are thrown before the files are stored.
  withFiles([]);
  return { sent, withFiles, placeOf };
}

function checked(order: object, placeOf: ChatOrder['placeOf']): Order {
  const result = RunOrder.safeParse(order);
  if (result.success) {
    refuseUnstorable(result.data, (path) => placeOf(path.join('.')));
    return result.data;
  }
  const issue = result.error.issues[0]!;
  const param = placeOf(issue.path.join('.'));
  throw invalidValue(param, `Invalid '${param}': ${sentenceOf(issue, order)}`);
}

function isHonoured(name: string, value: unknown, { temperature }: AgentConfiguration): boolean {
  if (value === null || HONOURED.has(name)) return true;
  if (name === 'temperature') return value === (temperature ?? DEFAULT_TEMPERATURE);
  if (!Object.hasOwn(IDLE, name)) return false;
  return (
    IDLE[name]!.includes(value) ||
    (typeof value === 'object' && Object.values(value).every((member) => member === null))
  );
}

/** The members inside of a request that the run does not get. Items of a response have known members alone. */
const unreadIn = ({ messages, verbosity }: Json, place: AgentRequest['place']): string | undefined => {
  if (place === 'messages') return unreadMember({ messages: messages as object[] });
  return verbosity === undefined || IDLE.verbosity!.includes(verbosity) ? undefined : 'text.verbosity';
};

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

interface PlacedMessage {
  message: ChatMessage;
  /** The place of a member of the message. */
  at: (member: string) => string;
}

/** The messages that the run reads, with their places. A session that is continued has the earlier ones, but not this call's instructions. */
function placed(
  messages: ChatMessage[],
  { place, own }: { place: string; own: MessagePlace[] | undefined },
  isContinued: boolean,
): PlacedMessage[] {
  const last = messages.length - 1;
  if (messages[last]?.role !== 'user' || holdsResultFiles(messages, last))
    throw invalidValue(place, 'The last message must be the user’s.');
  const isRead = ({ message: { role } }: PlacedMessage, index: number) =>
    !isContinued || index === last || role === 'system' || role === 'developer';
  const at = (index: number) => (member: string) =>
    own ? placeIn(own[index]!, member) : `${place}[${index}]${member}`;
  return messages.map((message, index) => ({ message, at: at(index) })).filter(isRead);
}

interface Asked {
  /** The input with the ids of the stored files. */
  input: (ids: string[]) => unknown;
  /** The place in the request of each item of the input. */
  places: string[];
}

function inputOf(messages: PlacedMessage[], place: string): Asked {
  const [{ message, at }] = messages.slice(-1) as [PlacedMessage];
  if (contentOf(message, []) === '') throw invalidValue(at('.content'), 'The user’s message has no text.');
  if (messages.length === 1 && !message.name) return { input: (ids) => contentOf(message, ids), places: [] };
  const input = (ids: string[]) => messages.flatMap((one) => itemsOf(one.message, one.at(''), ids));
  const characters = charactersIn(input([]));
  if (characters > TEXT_CHARACTERS_MAX) throw tooLong(characters, place);
  return { input, places: messages.flatMap((one) => itemsOf(one.message, one.at(''), []).map(() => one.at(''))) };
}

const tooLong = (characters: number, place: string) =>
  new InvalidRequest(
    'context_length_exceeded',
    place,
    `The messages have ${characters} characters, and an agent takes ${TEXT_CHARACTERS_MAX}. Shorten them, ` +
      'or continue a session: metadata.session_id.',
  );

/** The object that an agent with an input schema takes, and the files beside it. */
function dataOf(messages: PlacedMessage[], place: string): Asked {
  if (messages.length > 1)
    throw invalidValue(place, 'This agent takes one message: an object of JSON that fits its input_schema.');
  const { message, at } = messages[0]!;
  const data = dataIn(textOf(message));
  if (!isObject(data)) throw invalidValue(at(''), 'This agent takes an object of JSON that fits its input_schema.');
  const filesOf = (ids: string[]) => filesIn(message.content, at).map(() => ids.shift() ?? UNSTORED);
  const input = (ids: string[]) => [
    { type: 'input_data', data },
    ...filesOf(ids).map((id) => ({ type: 'input_file', file_id: id })),
  ];
  return { input, places: [] };
}
