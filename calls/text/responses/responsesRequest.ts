import type { Model } from '../../../db/catalog/catalog.ts';
import { ITEM_HOURS } from '../../../db/answers/responseItems.ts';
import type { Json } from '../../../providers/provider.ts';
import { countMessageTokens, countPromptTokens, countTokens } from '../../../providers/metering/tokens.ts';
import { ApiError } from '../../../base/errors/apiError.ts';
import { bodyTooLarge } from '../../../base/errors/requestErrors.ts';
import type { Caller } from '../../caller.ts';
import type { CallServices } from '../../services.ts';
import { INSTEAD, refuseIdleStreamOptions, refuseSurplusMetadata, type ParsedText } from '../parameters/parameters.ts';
import { InvalidRequest } from '../../../base/errors/invalidRequest.ts';
import { isObject } from '../../../base/json.ts';
import { holdsResultFiles } from '../../../base/resultFiles.ts';
import { refuseOddFiles, withFilesById } from '../parameters/filesById.ts';
import { refuseUnknownTool } from '../parameters/namedTools.ts';
import { bodyValidator } from '../parameters/validateBody.ts';
import { responseEcho, type ResponseEcho } from './presentResponse.ts';
import type { ResponseItem } from './responseItem.ts';
import { ResponsesInput, type ResponsesRequest } from './responsesInput.ts';
import { toChat } from './toChat.ts';

/** Parameters of responses that this service refuses for any value. */
export const RESPONSES_REFUSED = [
  'previous_response_id',
  'conversation',
  'background',
  'background_options',
  'multi_agent',
  'prompt_cache_key',
  'prompt',
  'context_management',
  'access_programs',
  'image',
  'moderation',
  'n',
  'best_of',
  'audio',
  'modalities',
  'prediction',
  'web_search_options',
] as const;

/** Parameters of chat under their name in responses. Passed on, they would contradict the request's own; refusals of models name them. */
export const MOVED: ReadonlyMap<string, string> = new Map([
  ['messages', 'input'],
  ['functions', 'tools'],
  ['function_call', 'tool_choice'],
  ['max_tokens', 'max_output_tokens'],
  ['max_completion_tokens', 'max_output_tokens'],
  ['response_format', 'text.format'],
  ['verbosity', 'text.verbosity'],
  ['reasoning_effort', 'reasoning.effort'],
  ['logprobs', 'include'],
]);

/** A valid request: `body` is the chat request for it, `echo` what the response repeats of it. */
export interface ParsedResponses extends ParsedText {
  echo: ResponseEcho;
  /** As the caller sent it. */
  request: ResponsesRequest;
  /** Unknown members. */
  rest: Json;
}

const EARLIER_ITEMS = "Send the earlier items in 'input' instead.";
const RUNS = 'POST /v1/runs does work that goes on without its caller.';
const ONE_ANSWER = 'Send a request for each answer.';

const instead = {
  ...INSTEAD,
  previous_response_id: EARLIER_ITEMS,
  conversation: EARLIER_ITEMS,
  prompt: "Send 'instructions' and 'input' instead.",
  context_management: "Send 'truncation' instead.",
  background: RUNS,
  background_options: RUNS,
  n: ONE_ANSWER,
  best_of: ONE_ANSWER,
};

const validate = bodyValidator(ResponsesInput, RESPONSES_REFUSED, { switches: ['background'], instead });

/** Checks the body of `POST /responses` and turns it into a chat request; throws `InvalidRequest`. */
export function parseResponses(body: unknown): ParsedResponses {
  // Before the schema, which would only miss `input` beside `messages`.
  if (isObject(body)) refuseMoved(body);
  const input = validate(body);
  if (typeof input.input !== 'string') refuseOddFiles(input.input, 'input');
  refuseIdleStreamOptions(input);
  refuseSurplusMetadata(input.metadata);
  refuseOtherTools(input);
  const rest = restOf(input);
  return {
    model: input.model,
    stream: input.stream === true,
    includeUsage: true,
    body: toChat(input, rest),
    outputTokensMax: input.max_output_tokens ?? null,
    choices: 1,
    conversation: 'input',
    echo: responseEcho(input),
    request: input,
    rest,
  };
}

function refuseOtherTools({ tools = [], tool_choice: choice }: ResponsesRequest): void {
  if (typeof choice !== 'object') return;
  if (choice.type !== 'allowed_tools') return refuseUnknownTool(choice, tools, 'tool_choice');
  for (const [at, allowed] of choice.tools.entries()) refuseUnknownTool(allowed, tools, `tool_choice.tools[${at}]`);
}

function refuseMoved(sent: Json): void {
  for (const [name, place] of MOVED) {
    // A parameter that is null counts as not sent.
    if (!Object.hasOwn(sent, name) || sent[name] === null) continue;
    const message = `Unsupported parameter: '${name}'. In the Responses API, this parameter has moved to '${place}'.`;
    throw new InvalidRequest('unsupported_parameter', name, message);
  }
}

/** Unknown members, which reach the model unchanged. */
function restOf(input: ResponsesRequest): Json {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(ResponsesInput.shape, name)));
}

/** Replaces references to items and files by the items and files themselves. Throws as `resolveReferences` and `withFilesById` do. */
export async function resolveInput(
  caller: Caller,
  services: CallServices,
  sent: ParsedResponses,
): Promise<ParsedResponses> {
  const parsed = await resolveReferences(caller, services, sent);
  const { request, rest } = parsed;
  if (typeof request.input === 'string') return parsed;
  const input = await withFilesById(caller, services, request.input, 'input');
  if (input === request.input) return parsed;
  const whole = { ...request, input };
  return { ...parsed, request: whole, body: toChat(whole, rest) };
}

/** A short reference may stand for a long item. */
const REFERENCED_CHARS_MAX = 16 * 1024 * 1024;

/** Replaces item references by the items. Throws 404 `item_not_found` that names the first unknown one. */
async function resolveReferences(
  caller: Caller,
  { db }: CallServices,
  parsed: ParsedResponses,
): Promise<ParsedResponses> {
  const { input } = parsed.request;
  if (typeof input === 'string') return parsed;
  const ids = input.flatMap((item) => (item.type === 'item_reference' && isItemId(item.id) ? [item.id] : []));
  if (!input.some(({ type }) => type === 'item_reference')) return parsed;
  const found = await db.responseItems.find(caller.key.workspaceId, ids);
  let characters = 0;
  const resolved = input.map((item, index): ResponseItem => {
    if (item.type !== 'item_reference') return item;
    const text = found.get(item.id);
    if (text === undefined) throw itemNotFound(item.id, index);
    characters += text.length;
    if (characters > REFERENCED_CHARS_MAX) throw bodyTooLarge(REFERENCED_CHARS_MAX);
    return JSON.parse(text) as ResponseItem;
  });
  // Estimates and holds by the request's size include the referenced items.
  caller.bodyBytes += characters;
  const request = { ...parsed.request, input: resolved };
  return { ...parsed, request, body: toChat(request, parsed.rest) };
}

// Whole responses are kept beside their items.
const isItemId = (id: string) => !id.startsWith('resp_');

const itemNotFound = (id: string, index: number) =>
  new ApiError({
    status: 404,
    code: 'item_not_found',
    param: `input[${index}].id`,
    message: `Item with id '${id.slice(0, 256)}' not found. Output items are kept for ${ITEM_HOURS} hours, unless 'store' is false. Send the item itself.`,
  });

/** Share of the context reserved for an answer without a length limit. */
const ANSWER_SHARE = 0.25;

/** A request whose conversation may be cut to what fits. */
interface Truncatable extends Pick<ParsedResponses, 'body' | 'outputTokensMax'> {
  request: Pick<ResponsesRequest, 'truncation'>;
}

/**
 * With `truncation: "auto"`, drops as many of the oldest messages as do not fit into the model's context beside the answer. Instructions
 * and the last message stay, and no tool result without its call. `count` counts the tokens of a text.
 */
export async function truncated<Parsed extends Truncatable>(
  parsed: Parsed,
  model: Model,
  count = countTokens,
): Promise<Parsed> {
  const { contextTokens, outputTokensMax, mediaTokens } = model;
  if (parsed.request.truncation !== 'auto' || contextTokens === 0) return parsed;
  const answerTokens = Math.min(parsed.outputTokensMax ?? Math.ceil(contextTokens * ANSWER_SHARE), outputTokensMax);
  const { messages, ...others } = parsed.body as Json & { messages: Json[] };
  const otherTokens = await countPromptTokens({ ...others, messages: [] }, mediaTokens, count);
  const sizes: number[] = [];
  // One after the other: thousands at once would leave the event loop no turn.
  for (const message of messages) sizes.push(await countMessageTokens(message, mediaTokens, count));
  const surplusTokens = sizes.reduce((sum, tokens) => sum + tokens, otherTokens) + answerTokens - contextTokens;
  const begin = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  if (surplusTokens <= 0 || begin === -1) return parsed;
  const from = firstKept({ messages, sizes, begin, surplusTokens });
  return { ...parsed, body: { ...others, messages: [...messages.slice(0, begin), ...messages.slice(from)] } };
}

/** The index after which at least this many tokens have been dropped. */
function firstKept(conversation: { messages: Json[]; sizes: number[]; begin: number; surplusTokens: number }): number {
  const { messages, sizes, begin } = conversation;
  let last = messages.length - 1;
  const isResult = (at: number) => messages[at]!.role === 'tool' || holdsResultFiles(messages, at);
  while (last > begin && isResult(last)) last--;
  let from = begin;
  for (let left = conversation.surplusTokens; left > 0 && from < last; from++) left -= sizes[from]!;
  while (from > begin && from < last && isResult(from)) from++;
  return from;
}
