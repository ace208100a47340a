import type { BatchEndpoint } from '../../db/batches/batches.ts';
import type { AnsweredLine, LineAnswer, LineCall, PreparedLine } from '../../db/batches/lineCall.ts';
import { atBatchPrices, type Catalog, type Model } from '../../db/catalog/catalog.ts';
import { newId } from '../../db/ids.ts';
import type { Key } from '../../db/keys/keys.ts';
import { LedgerUnavailable } from '../../db/postgres/ledgerUnavailable.ts';
import { isDatabaseDown } from '../../db/postgres/databaseErrors.ts';
import { MEDIA_BODY, TOKENS_BODY, type BodyLimits } from '../../api/body/body.ts';
import { excessOfValue } from '../../base/jsonShape.ts';
import type { Context, Handler } from '../../api/context.ts';
import type { ErrorBody } from '../../base/errors/apiError.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';
import { asApiError } from '../../api/guard/errors.ts';
import { readAheadMs } from '../../api/guard/testMode.ts';
import { createShutdown } from '../../api/http/shutdown.ts';
import type { CallServices } from '../../api/services.ts';
import { callOf, worstCaseNanos, type TextCall } from '../../calls/text/textCall.ts';
import { wholeAnswerIn } from '../../providers/openai/answerReader.ts';
import { ProviderError, type Json } from '../../providers/provider.ts';
import { testFaultIn } from '../../providers/testFault.ts';
import type { TextProviders } from '../../providers/textProviders.ts';
import { createChatCompletion, withFiles } from '../../calls/text/chat/chat.ts';
import { parseChat } from '../../calls/text/chat/chatInput.ts';
import { createCompletion } from '../../calls/text/chat/completions.ts';
import { parseCompletions } from '../../calls/text/chat/completionsInput.ts';
import { createEmbeddings, embeddingsCall, parseEmbeddings } from '../../calls/text/embeddings.ts';
import type { ParsedText } from '../../calls/text/parameters/parameters.ts';
import { unsupportedParameter } from '../../calls/text/parameters/refusal.ts';
import { createResponse } from '../../calls/text/responses/responses.ts';
import {
  parseResponses,
  resolveInput,
  truncated,
  type ParsedResponses,
} from '../../calls/text/responses/responsesRequest.ts';

/** How a call ended: with an answer that was handed over, or refused with the error that a live call would get. */
export interface LineEnd {
  requestId: string;
  refusal?: { status: number; error: ErrorBody };
}

/**
 * The calls of batches: the same handlers as live calls, at batch prices, with a hold, a bill and a row in the requests each. `keep` stores
 * an answer before it is billed; false: another worker has stored one, and this one is not billed.
 */
export function createLineCalls(services: Pick<CallServices, 'db' | 'catalog' | 'textProviders'>) {
  const { catalog } = services;
  // A worker hands its lines over to another one; it aborts none.
  const own: CallServices = { ...services, catalog: atBatchPrices(catalog), shutdown: createShutdown() };
  const handlers = handlersOf(own);

  /**
   * Runs a line. Throws when the database is down or this process may not spend: then nothing was billed, and the line is to be run again.
   * `answered`: its upstream has answered already, in a batch.
   */
  async function run(
    key: Key,
    call: LineCall,
    keep: (answer: LineAnswer) => Promise<boolean>,
    answered?: AnsweredLine,
  ): Promise<LineEnd> {
    const requestId = newId('req');
    const ctx = contextOf(key, call, requestId);
    if (key.isTest) ctx.state.aheadMs = await readAheadMs(services.db.pool, key);
    ctx.state.keepAnswer = (bill, chargedNanos) => keep({ requestId, body: ctx.body, bill, chargedNanos });
    try {
      const all = answered ? handlersOf({ ...own, textProviders: answeredProviders(answered) }) : handlers;
      await all[call.endpoint].answer(ctx, call);
      return { requestId };
    } catch (error) {
      if (error instanceof LedgerUnavailable || isDatabaseDown(error)) throw error;
      const { status, body } = asApiError(error, requestId);
      return { requestId, refusal: { status, error: body } };
    }
  }

  /** The most that a line can cost, in nano-USD; 0 for one that would be refused. */
  function worstCaseNanosOf(call: LineCall): bigint {
    try {
      const { input, model } = inputOf(call);
      return model ? worstCaseNanos(textCallOf(call, input, model)) : 0n;
    } catch (error) {
      if (asApiError(error, '').status >= 500) throw error;
      return 0n;
    }
  }

  /** The line as a call of its upstream's batches; undefined when that has none, or the line would be refused. */
  async function preparedOf(key: Key, call: LineCall): Promise<PreparedLine | undefined> {
    try {
      const { input, model } = inputOf(call);
      const place = model?.upstreams[0];
      if (key.isTest || !model || !place || !catalog.upstreams.get(place.upstream)?.batches) return undefined;
      const ctx = contextOf(key, call, newId('req'));
      const whole = await wholeOf(ctx, call, input, model);
      const textCall = textCallOf(call, whole, model);
      const body = { ...textCall.body, model: place.model };
      return { ...place, endpoint: `/v1/${textCall.path}`, body, worstCaseNanos: worstCaseNanos(textCall) };
    } catch (error) {
      if (asApiError(error, '').status >= 500) throw error;
      return undefined;
    }
  }

  /** The request with the items and files that it refers to. */
  async function wholeOf(ctx: Context, { endpoint }: LineCall, input: object, model: Model) {
    if (endpoint === '/v1/responses') return truncated(await resolveInput(ctx, own, input as ParsedResponses), model);
    return endpoint === '/v1/chat/completions' ? withFiles(ctx, own, input as ParsedText) : (input as ParsedText);
  }

  function inputOf(call: LineCall): { input: { model: string; body: Json }; model: Model | undefined } {
    const input = handlers[call.endpoint].read(call);
    return { input, model: own.catalog.findOfKind(input.model, kindOf(call.endpoint)) };
  }

  return {
    run,
    worstCaseNanosOf,
    hasUpstreamBatches: [...catalog.upstreams.values()].some(({ batches }) => batches),
    preparedOf,
    refuseModel: (endpoint: BatchEndpoint, model: string) => refuseModel(catalog, endpoint, model),
  };
}

const handlersOf = (services: CallServices) =>
  ({
    '/v1/chat/completions': lineHandler(parseChat, createChatCompletion(services), MEDIA_BODY),
    '/v1/completions': lineHandler(parseCompletions, createCompletion(services), TOKENS_BODY),
    '/v1/responses': lineHandler(parseResponses, createResponse(services), MEDIA_BODY),
    '/v1/embeddings': lineHandler(parseEmbeddings, createEmbeddings(services), TOKENS_BODY),
  }) satisfies Record<BatchEndpoint, object>;

function lineHandler<Input extends { model: string; body: Json }>(
  parse: (value: unknown) => Input,
  handle: Handler<Input>,
  { valuesMax }: BodyLimits,
) {
  const read = (call: LineCall): Input => parsed(call, parse, valuesMax);
  return {
    read,
    answer: async (ctx: Context<Input>, call: LineCall): Promise<void> => {
      ctx.state.input = read(call);
      await handle(ctx);
    },
  };
}

/** Providers that have one answer. */
function answeredProviders({ upstream, reply }: AnsweredLine): Pick<TextProviders, 'of'> {
  return {
    of: () => ({
      answer: async (_path, _body, signal) => {
        signal.attempted?.(upstream);
        return wholeAnswerIn(reply);
      },
      // Near the last cent, where a whole answer would be metered as it arrives.
      stream: () => Promise.reject(new ProviderError('failed', 'the answer of a batch cannot be metered')),
    }),
  };
}

function textCallOf({ endpoint, bodyBytes }: LineCall, input: { body: Json }, model: Model): TextCall {
  const state = { route: routeOf(endpoint), bodyBytes };
  if (endpoint === '/v1/embeddings') return embeddingsCall(state, model, input.body);
  // Responses are sent upstream as chats.
  const path = endpoint === '/v1/completions' ? 'completions' : 'chat/completions';
  return callOf({ state }, input as ParsedText, model, path);
}

const kindOf = (endpoint: BatchEndpoint) => (endpoint === '/v1/embeddings' ? 'embedding' : 'text');

const routeOf = (endpoint: BatchEndpoint): string => `/textapi/v1/batches${endpoint.slice('/v1'.length)}`;

function parsed<Input extends object>({ body }: LineCall, parse: (value: unknown) => Input, valuesMax: number): Input {
  if (excessOfValue(body, valuesMax))
    throw invalidRequest(
      'invalid_body',
      `The body is nested too deep, or has more than ${valuesMax} members and elements.`,
    );
  const input = parse(body);
  if ('stream' in input && input.stream === true) throw unsupportedParameter('stream');
  return input;
}

/** Why an endpoint cannot call a model; undefined when it can. */
function refuseModel(catalog: Catalog, endpoint: BatchEndpoint, model: string): string | undefined {
  const kind = kindOf(endpoint);
  if (catalog.findOfKind(model, kind)) return undefined;
  return `The model '${model}' does not exist for ${endpoint}. Did you mean '${catalog.nearest(model, kind)}'?`;
}

/** What handlers see of a request, for a call that came without one. */
function contextOf(key: Key, { endpoint, bodyBytes, testFault }: LineCall, requestId: string): Context<never> {
  const state = {
    key,
    testFault: key.isTest && testFault !== undefined ? testFaultIn(testFault) : undefined,
    requestId,
    bodyBytes,
    route: routeOf(endpoint),
    product: 'batch',
    params: {},
    startedAtMs: Date.now(),
    begunAtMs: performance.now(),
    log: {},
  };
  return { state, req: { headers: {} }, res: NO_CALLER } as unknown as Context<never>;
}

/** No client waits, so none disconnects, and no header is sent. */
const NO_CALLER = { destroyed: false, on: () => NO_CALLER, setHeader: () => NO_CALLER };
