import type { Json } from '../../../providers/provider.ts';
import { responseEcho, type ResponseEcho } from '../responses/responseEcho.ts';
import { toChat } from '../responses/toChat.ts';
import { refuseIdleStreamOptions, refuseSurplusMetadata } from './parameters.ts';
import type { ParsedText } from './parsed.ts';
import { InvalidRequest } from './refusal.ts';
import { ResponsesInput, type ResponsesRequest } from './responsesInput.ts';
import { bodyValidator } from './validateBody.ts';

/** Parameters of responses that this service refuses for any value. */
export const RESPONSES_REFUSED = [
  'previous_response_id',
  'conversation',
  'background',
  'background_options',
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

/** Parameters of chat under their name in responses. Passed on, they would contradict the request's own. */
const MOVED: Record<string, string> = {
  messages: 'input',
  functions: 'tools',
  function_call: 'tool_choice',
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
  response_format: 'text.format',
  verbosity: 'text.verbosity',
  reasoning_effort: 'reasoning.effort',
  logprobs: 'include',
};

/** A valid request: `body` is the chat request for it, `echo` what the response repeats of it. */
export interface ParsedResponses extends ParsedText {
  echo: ResponseEcho;
  /** As the caller sent it. */
  request: ResponsesRequest;
  /** Unknown members. */
  rest: Json;
}

const validate = bodyValidator(ResponsesInput, RESPONSES_REFUSED);

/** Checks the body of `POST /responses` and turns it into a chat request; throws `InvalidRequest`. */
export function parseResponses(body: unknown): ParsedResponses {
  const input = validate(body);
  refuseMoved(input);
  refuseIdleStreamOptions(input);
  refuseSurplusMetadata(input.metadata);
  const rest = restOf(input);
  return {
    model: input.model,
    stream: input.stream === true,
    includeUsage: true,
    body: toChat(input, rest),
    outputTokensMax: input.max_output_tokens ?? null,
    choices: 1,
    echo: responseEcho(input),
    request: input,
    rest,
  };
}

function refuseMoved(input: ResponsesRequest): void {
  for (const [name, place] of Object.entries(MOVED)) {
    if (!Object.hasOwn(input, name)) continue;
    const message = `Unsupported parameter: '${name}'. In the Responses API, this parameter has moved to '${place}'.`;
    throw new InvalidRequest('unsupported_parameter', name, message);
  }
}

/** Unknown members, which reach the model unchanged. */
function restOf(input: ResponsesRequest): Json {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(ResponsesInput.shape, name)));
}
