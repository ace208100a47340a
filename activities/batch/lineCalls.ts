import type { ErrorBody } from '../../base/errors/apiError.ts';
import { InvalidRequest } from '../../base/errors/invalidRequest.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';
import { isObject } from '../../base/json.ts';
import { excessOfValue } from '../../base/jsonShape.ts';
import { elapsedMsOf, setClock, type Caller, type CallLog } from '../../calls/caller.ts';
import type { Delivery } from '../../calls/delivery.ts';
import { asApiError } from '../../calls/errors/asApiError.ts';
import type { CallServices } from '../../calls/services.ts';
import { laterTestOf } from '../../calls/testMode.ts';
import { answerOnce } from '../../calls/text/answerOnce.ts';
import { chat, completions } from '../../calls/text/chat/choices.ts';
import { embeddings } from '../../calls/text/embeddings.ts';
import type { WholeReply } from '../../calls/text/meteredCall.ts';
import type { TextEndpoint, TextOrder } from '../../calls/text/order.ts';
import { responses } from '../../calls/text/responses/responses.ts';
import { worstCaseNanos } from '../../calls/text/textCall.ts';
import type { Refusal } from '../../db/accounting/refusals.ts';
import type { BatchEndpoint } from '../../db/batches/batches.ts';
import type { AnsweredLine, LineAnswer, LineCall, PreparedLine, SentTo } from '../../db/batches/lineCall.ts';
import { atBatchPrices, catalogSince, type Catalog, type Model } from '../../db/catalog/catalog.ts';
import { newId } from '../../db/ids.ts';
import type { Key } from '../../db/keys/keys.ts';
import type { BilledLine } from '../../db/ledger/ledger.ts';
import { isPassing } from '../../db/postgres/databaseErrors.ts';
import { inputsIn, wholeAnswerIn, withChoices, withVectors } from '../../providers/openai/answerReader.ts';
import { checkModel } from '../../providers/openai/readItem.ts';
import { ProviderError } from '../../providers/provider.ts';
import { isAllowed } from '../../providers/routing/place.ts';
import type { TextProviders } from '../../providers/textProviders.ts';
import { namingLimit } from '../../providers/upstreamOptions.ts';

const ENDPOINTS: Record<BatchEndpoint, TextEndpoint> = {
  '/v1/chat/completions': chat,
  '/v1/completions': completions,
  '/v1/responses': responses,
  '/v1/embeddings': embeddings,
};

/** How a call ended: with an answer that was handed over, or refused with the error that a live call would get, and as requests list it. */
interface LineEnd {
  requestId: string;
  refusal?: { status: number; error: ErrorBody; listed: Refusal };
}

/** How calls without a client are sold: their product and route in bills. */
interface Terms {
  product?: 'batch';
  routeOf: (endpoint: BatchEndpoint) => string;
}

const AS_BATCH: Terms = { product: 'batch', routeOf: (endpoint) => `/textapi/v1/batches${tailOf(endpoint)}` };
const AS_LIVE: Terms = { routeOf: (endpoint) => `/textapi/v1${tailOf(endpoint)}` };
const tailOf = (endpoint: BatchEndpoint): string => endpoint.slice('/v1'.length);

type LineServices = Pick<CallServices, 'db' | 'catalog' | 'textProviders'>;

/** The calls of batches: the same as live calls, at batch prices, with a hold, a bill and a row in the requests each. */
export const createLineCalls = (services: LineServices) =>
  createCalls(services, { terms: AS_BATCH, priced: atBatchPrices(services.catalog) });

/** Calls of a workflow that is no batch: at live prices. Their answers are kept as those of lines, each by the bill of its call. */
export const createOwnCalls = (services: LineServices): Pick<LineCalls, 'run' | 'worstCaseNanosOf'> =>
  createCalls(services, { terms: AS_LIVE, priced: services.catalog });

function createCalls(services: LineServices, { terms, priced }: { terms: Terms; priced: Catalog }) {
  const { catalog } = services;
  // A worker hands its lines over to another one; it aborts none.
  const shutdown = { onCut: () => () => {} };
  const own: CallServices = { ...services, catalog: priced, shutdown };

  /**
   * Runs a line. `resultOf` makes its result of the answer, which is stored with the bill; a line that another worker has stored is not
   * billed. Throws when the database is down or this process may not spend: then nothing was billed, and the line is to be run again.
   * `answered`: its upstream has answered already, in a batch.
   */
  async function run(
    key: Key,
    call: LineCall,
    resultOf: (answer: LineAnswer) => BilledLine,
    answered?: AnsweredLine,
  ): Promise<LineEnd> {
    const caller = new LineCaller(key, call, terms);
    const { requestId } = caller;
    await setClock(services.db.pool, caller);
    try {
      const all = answered ? { ...asSent(answered.sentTo), textProviders: answeredProviders(answered) } : own;
      const order = await ENDPOINTS[call.endpoint].order(caller, all, parsed(call));
      await answerLine(caller, all, order, resultOf);
      return { requestId };
    } catch (error) {
      if (isPassing(error)) throw error;
      const { status, body } = asApiError(error, requestId);
      return { requestId, refusal: { status, error: body, listed: listedOf(caller, call, { status, ...body }) } };
    }
  }

  /** The most that a line can cost, in nano-USD; 0 for one that would be refused. */
  function worstCaseNanosOf(call: LineCall): bigint {
    try {
      const { input, model } = inputOf(call, own);
      if (!model) return 0n;
      const size = { route: terms.routeOf(call.endpoint), bodyBytes: call.bodyBytes };
      return worstCaseNanos(ENDPOINTS[call.endpoint].callOf(size, input, model));
    } catch (error) {
      if (asApiError(error, '').status >= 500) throw error;
      return 0n;
    }
  }

  /**
   * The line as a call of its upstream's batches; undefined when that has none, or the line would be refused. `sentTo`: as it was sent
   * there, whatever has changed since.
   */
  async function preparedOf(key: Key, call: LineCall, sentTo?: SentTo): Promise<PreparedLine | undefined> {
    try {
      const all = sentTo ? asSent(sentTo) : own;
      const { input, model } = inputOf(call, all);
      const caller = new LineCaller(key, call, terms);
      if (caller.test || !model || !(sentTo || mayBeSent(key, model))) return undefined;
      const { call: textCall } = await ENDPOINTS[call.endpoint].order(caller, all, input);
      const place = sentTo ? model.upstreams.find(isPlace(sentTo)) : firstAllowed(model, textCall.body);
      const upstream = catalog.upstreams.get(place?.upstream ?? '');
      if (!place || !(sentTo || upstream?.batches)) return undefined;
      const { upstream: name, model: named, answersAs } = place;
      const body = namingLimit({ ...textCall.body, model: named }, upstream?.outputLimit);
      const endpoint = `/v1/${textCall.path}`;
      return { upstream: name, model: named, answersAs, endpoint, body, worstCaseNanos: worstCaseNanos(textCall) };
    } catch (error) {
      if (asApiError(error, '').status >= 500) throw error;
      return undefined;
    }
  }

  // A batch is stored at its upstream until its answers are fetched, also where calls are not.
  const mayBeSent = ({ noRetention }: Key, { routing, upstreams }: Model): boolean =>
    !noRetention &&
    routing?.retention !== 'none' &&
    upstreams.some(({ upstream }) => catalog.upstreams.get(upstream)?.batches);

  /** The first upstream that a call with these members may use by its model's rule. */
  const firstAllowed = ({ routing = {}, upstreams }: Model, members: object) =>
    upstreams.find(({ upstream, without }) => {
      const { retention, region } = catalog.upstreams.get(upstream) ?? {};
      return isAllowed({ keepsData: retention !== 'none', region, without }, routing, { members });
    });

  /** What a line had when it was sent: its price, and models and upstreams that were disabled since. */
  const asSent = ({ createdAt }: SentTo): CallServices => ({
    ...own,
    catalog: catalogSince(own.catalog, createdAt.getTime()),
  });

  function inputOf(call: LineCall, services: Pick<CallServices, 'catalog'>) {
    const input = parsed(call);
    return { input, model: services.catalog.findOfKind(input.model, ENDPOINTS[call.endpoint].kind) };
  }

  return {
    run,
    worstCaseNanosOf,
    /** Whether an upstream of the catalogue has batches. */
    hasUpstreamBatches: () => [...catalog.upstreams.values()].some(({ batches }) => batches),
    preparedOf,
    refuseModel: (endpoint: BatchEndpoint, model: string) => refuseModel(catalog, endpoint, model),
  };
}

const isPlace = (sentTo: SentTo) => (place: Pick<SentTo, 'upstream' | 'model'>) =>
  place.upstream === sentTo.upstream && place.model === sentTo.model;

/** The calls of a batch's lines. */
export type LineCalls = ReturnType<typeof createLineCalls>;

async function answerLine(
  caller: Caller,
  services: CallServices,
  order: TextOrder,
  resultOf: (answer: LineAnswer) => BilledLine,
): Promise<void> {
  const { requestId } = caller;
  let body: object;
  const to: Delivery<WholeReply> = {
    hasBegun: false,
    present: (answer, { chargedNanos }) => {
      body = order.present({ ...answer, usage: { ...answer.usage, chargedNanos } });
    },
    line: () => resultOf({ requestId, body }),
  };
  await answerOnce(caller, services, order.call, to).catch((error: unknown) => {
    throw order.explain?.(error) ?? error;
  });
}

/** A line as the caller of what it pays for: no client waits for it, so none disconnects. */
class LineCaller implements Caller {
  readonly key: Key;
  readonly route: string;
  readonly requestId = newId('req');
  readonly test: Caller['test'];
  declare aheadMs?: number;
  readonly startedAtMs = Date.now();
  readonly begunAtMs = performance.now();
  declare readonly product?: 'batch';
  readonly log: CallLog = {};
  bodyBytes: number;

  constructor(key: Key, { endpoint, bodyBytes, metadata }: LineCall, { product, routeOf }: Terms) {
    this.key = key;
    if (product) this.product = product;
    this.route = routeOf(endpoint);
    this.test = laterTestOf(key.workspaceId, metadata);
    this.bodyBytes = bodyBytes;
  }

  allowsPartial(): boolean {
    return false;
  }

  hasLeft(): boolean {
    return false;
  }

  onLeave(): void {}
}

/** A refused line among the requests, like a refused call. */
function listedOf(
  caller: LineCaller,
  { body }: LineCall,
  { status, code, message }: Pick<Refusal, 'status' | 'code' | 'message'>,
): Refusal {
  const { key, route, requestId: id, log } = caller;
  const asked = log.model ?? (isObject(body) ? body.model : undefined);
  const model = typeof asked === 'string' ? asked : null;
  const { workspaceId, keyId } = key;
  return { id, workspaceId, keyId, route, model, status, code, message, durationMs: elapsedMsOf(caller) };
}

/** Providers that have one answer. */
function answeredProviders({ sentTo: { upstream }, reply, answersAs }: AnsweredLine): Pick<TextProviders, 'of'> {
  return {
    of: () => ({
      answer: async (path, body, signal) => {
        signal.attempted?.(upstream);
        checkModel(reply, answersAs);
        const whole = wholeAnswerIn(reply);
        return path === 'embeddings' ? withVectors(whole, inputsIn(body)) : withChoices(whole);
      },
      // Near the last cent, where a whole answer would be metered as it arrives.
      stream: () => Promise.reject(new ProviderError('failed', 'the answer of a batch cannot be metered')),
    }),
  };
}

function parsed({ endpoint, body }: LineCall): ReturnType<TextEndpoint['parse']> {
  const { parse, limits } = ENDPOINTS[endpoint];
  if (excessOfValue(body, limits.valuesMax))
    throw invalidRequest(
      'invalid_body',
      `The body is nested too deep, or has more than ${limits.valuesMax} members and elements.`,
    );
  const input = parse(body);
  if ('stream' in input && input.stream === true) throw streamOfLine();
  return input;
}

const streamOfLine = () =>
  new InvalidRequest(
    'unsupported_parameter',
    'stream',
    "Unsupported parameter: 'stream' is not supported in a line of a batch, which gets its whole answer. Leave it out.",
  );

/** Why an endpoint cannot call a model; undefined when it can. */
function refuseModel(catalog: Catalog, endpoint: BatchEndpoint, model: string): string | undefined {
  const { kind } = ENDPOINTS[endpoint];
  if (catalog.findOfKind(model, kind)) return undefined;
  return `The model '${model}' does not exist for ${endpoint}. Did you mean '${catalog.nearest(model, kind)}'?`;
}
