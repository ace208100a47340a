import { InvalidRequest } from '../../../base/errors/invalidRequest.ts';
import { MEDIA_BODY } from '../../../base/limits.ts';
import { ProviderError } from '../../../providers/provider.ts';
import type { Caller } from '../../caller.ts';
import { findModel } from '../../findModel.ts';
import type { CallServices } from '../../services.ts';
import type { TextEndpoint, TextOrder } from '../order.ts';
import { identify } from '../presenter.ts';
import { callOf } from '../textCall.ts';
import { keeperOf } from './keepResponse.ts';
import { MOVED, type ParsedResponses, parseResponses, resolveInput, truncated } from './responsesRequest.ts';
import { presentResponse } from './presentResponse.ts';
import type { ResponsesRequest } from './responsesInput.ts';
import { createResponsesPresenter } from './responsesPresenter.ts';
import { placeIn, placesOfMessages } from './toMessages.ts';
import { refuseUnpairedItems } from './toolItems.ts';

// Responses are sent upstream as chats.
const PATH = 'chat/completions';

/**
 * `POST /responses`: the same models in the form of OpenAI's Responses API. Each request carries its history, in full or as references to
 * output items, which are kept for a day unless `store` is false.
 */
export const responses: TextEndpoint<ParsedResponses> = {
  kind: 'text',
  limits: MEDIA_BODY,
  parse: parseResponses,
  callOf: (size, input, model) => callOf(size, input, model, PATH),
  order: orderResponse,
};

async function orderResponse(caller: Caller, services: CallServices, parsed: ParsedResponses): Promise<TextOrder> {
  const model = findModel(caller, services, parsed.model, 'text');
  refuseApprovals(parsed.request);
  const whole = await resolveInput(caller, services, parsed);
  if (typeof whole.request.input !== 'string') refuseUnpairedItems(whole.request.input);
  const input = await truncated(whole, model);
  const call = callOf(caller, input, model, PATH);
  const answer = { ...identify(caller, model), echo: input.echo };
  const onEnd = keeperOf(services, caller.key.workspaceId, parsed);
  const obfuscates = input.request.stream_options?.include_obfuscation === true;
  const show: TextOrder['present'] = ({ reply, usage }) => presentResponse(reply, { ...answer, usage });
  return {
    call,
    show,
    presenter: input.stream ? createResponsesPresenter({ ...answer, obfuscates, onEnd }) : undefined,
    present: ({ reply, usage }) => {
      const response = presentResponse(reply, { ...answer, usage });
      onEnd(response);
      return response;
    },
    explain: (error) => toResponsesError(error, input.request),
  };
}

// Only the run of an agent asks for approvals.
function refuseApprovals({ input }: ResponsesRequest): void {
  const at = typeof input === 'string' ? -1 : input.findIndex(({ type }) => type?.startsWith('mcp_approval'));
  if (at < 0) return;
  const place = `input[${at}]`;
  throw new InvalidRequest(
    'unsupported_parameter',
    place,
    `Unsupported parameter: '${place}' is for agents as the model.`,
  );
}

/**
 * Maps a model's refusal of the chat request to the caller's own request, in the refusal's `param` and its message. Returns any other
 * error unchanged.
 */
export function toResponsesError(error: unknown, request: ResponsesRequest): unknown {
  if (!(error instanceof ProviderError) || error.fault !== 'refused' || !error.detail?.param) return error;
  const { param, message } = error.detail;
  const place = placeOf(param, request);
  const detail = { ...error.detail, param: place, message: message?.replaceAll(`'${param}'`, `'${place}'`) };
  return new ProviderError('refused', error.message, { status: error.status, detail, cause: error });
}

function placeOf(param: string, request: ResponsesRequest): string {
  const message = /^messages\[(\d+)\](.*)$/.exec(param);
  if (message) return placeOfMessage(Number(message[1]), message[2]!, request);
  const [name] = /^\w*/.exec(param)!;
  // Chat nests the members of functions and of schemas.
  const rest = param.slice(name.length).replace(/^(\[\d+\])?\.(function|json_schema)\b/, '$1');
  return `${MOVED.get(name) ?? name}${rest}`;
}

function placeOfMessage(index: number, rest: string, request: ResponsesRequest): string {
  const place = placesOfMessages(request)[index] ?? 'input';
  // Calls are items of their own, and several join one message: the exact one is not looked up.
  return rest.startsWith('.tool_calls') && place !== 'instructions' ? 'input' : placeIn(place, rest);
}
