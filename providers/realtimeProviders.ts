import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { isObject } from '../base/json.ts';
import { KIB, MIB } from '../base/limits.ts';
import { SocketFlow } from '../base/socketFlow.ts';
import { traceHeaders } from '../base/tracing.ts';
import { CallAbort } from './callAbort.ts';
import type { UpstreamConfig } from './config.ts';
import { firstSuccessful } from './fallback.ts';
import { faultOfStatus, faultOfTransport } from './openai/faults.ts';
import { isOwnAccount } from './openai/policy.ts';
import { ProviderError, type Json, type TestCall } from './provider.ts';
import { createRouting, type RoutedPlace } from './routing/routing.ts';
import { TEST_TIMEOUT_MS } from './testFault.ts';
import { testPlacesOf } from './testMode/testPlaces.ts';
import type { OpenTestUpstream, SharedParts } from './testMode/testText.ts';
import { optionsOf, type ServedModel, type UpstreamCatalog, type UpstreamOptions } from './upstreamOptions.ts';

// The largest event of an upstream; audio arrives in fractions of a second.
const EVENT_BYTES_MAX = 16 * MIB;
const REFUSAL_BYTES_MAX = 64 * KIB;
const NORMAL_CLOSE = 1000;

/** A session at an upstream that speaks OpenAI's realtime protocol: open -> closed. */
export interface RealtimeUpstream {
  /** The upstream's name for the model. */
  readonly upstreamModel: string;
  /** The catalogue's name of the upstream, for bills. */
  readonly name: string;
  /** The upstream's session object at the start. */
  readonly session: Json;
  /** Resolves, with the reason as an error, when the upstream has closed the socket. */
  readonly closed: Promise<ProviderError>;
  /** Sends an event; resolves when there is room for more. */
  send(event: Json): Promise<void> | undefined;
  /** Handles the upstream's events after `session.created`, one after another; unhandled events are not read from the network. */
  onEvents(handle: (event: Json) => Promise<void> | void): void;
  close(): void;
}

export type RealtimeProviders = ReturnType<typeof createRealtimeProviders>;

/**
 * Sockets to the upstreams of realtime models, tried in the catalogue's order until a session begins. Sessions of test calls use the test
 * upstream instead.
 */
export function createRealtimeProviders(
  catalog: UpstreamCatalog,
  config: UpstreamConfig,
  { routing = createRouting(), openTestUpstream }: SharedParts = {},
) {
  let tests: ReturnType<OpenTestUpstream> | undefined;

  async function openTest(model: string, test: TestCall): Promise<RealtimeUpstream> {
    if (!openTestUpstream) throw new ProviderError('unavailable', 'This process serves no test calls.');
    const { url } = await (tests ??= openTestUpstream());
    const isShort = test.fault?.name === 'upstream_timeout';
    const options = optionsOf({ baseUrl: url }, isShort ? { ...config, idleTimeoutMs: TEST_TIMEOUT_MS } : config);
    return firstSuccessful(testPlacesOf(test.fault), ({ health: { name }, fault }) => {
      const headers = { 'x-test-call': JSON.stringify({ ...test, fault }) };
      return beginSession(options, { name, upstreamModel: model }, headers);
    });
  }

  return {
    /** Begins a session; a test workspace's session never uses an upstream of the catalogue. Throws `ProviderError`. */
    open(model: ServedModel, { test, noRetention }: Demanded): Promise<RealtimeUpstream> {
      if (test) return openTest(model.id, test);
      const call = {
        places: routing.placesOf(model, catalog.upstreams),
        routing: model.routing,
        kind: 'streams' as const,
        demands: { noRetention },
        begin: async ({ upstream: name, model: upstreamModel }: RoutedPlace) => {
          const address = catalog.upstreams.get(name);
          if (!address?.baseUrl)
            throw new ProviderError('unavailable', address?.setup ?? `The upstream "${name}" is not set.`);
          return beginSession(optionsOf(address, config), { name, upstreamModel });
        },
        discard: (session: RealtimeUpstream) => session.close(),
      };
      return routing.first(call, new CallAbort());
    },
    close: async (): Promise<void> => (await tests)?.stop(),
  };
}

/** What a session asks of its upstream. */
interface Demanded {
  test?: TestCall | undefined;
  noRetention?: boolean | undefined;
}

type Named = Pick<RealtimeUpstream, 'name' | 'upstreamModel'>;

async function beginSession(
  options: UpstreamOptions,
  named: Named,
  headers: Record<string, string> = {},
): Promise<RealtimeUpstream> {
  const ws = await socketTo(options, named.upstreamModel, headers);
  // Its first event may arrive with the handshake's answer.
  const flow = new SocketFlow(ws);
  const closed = new Promise<ProviderError>((resolve) => ws.once('close', (code) => resolve(faultOfClose(code))));
  const begun = Promise.withResolvers<Json>();
  let handle = (event: Json): Promise<void> | void => {
    if (event.type === 'session.created') begun.resolve(isObject(event.session) ? event.session : {});
    else if (event.type === 'error') begun.reject(faultOfEvent(event));
  };
  flow.onMessages((message, isBinary) => {
    const event = isBinary ? undefined : parsed(message);
    return event && handle(event);
  });
  const late = setTimeout(
    () => begun.reject(new ProviderError('stalled', 'the upstream began no session in time')),
    options.idleTimeoutMs,
  );
  ws.once('open', () => void closed.then(begun.reject));
  const close = () => flow.close(NORMAL_CLOSE, '');
  try {
    const session = await Promise.race([begun.promise, refusedBy(ws)]);
    const onEvents = (next: typeof handle) => void (handle = next);
    return { ...named, session, closed, close, onEvents, send: (event) => flow.send(event) };
  } catch (error) {
    close();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

async function socketTo(
  { baseUrl, apiKey, connectTimeoutMs }: UpstreamOptions,
  model: string,
  headers: Record<string, string>,
): Promise<WebSocket> {
  const { WebSocket: Socket } = await import('ws');
  const url = `${baseUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/realtime?model=${encodeURIComponent(model)}`;
  return new Socket(url, {
    headers: { ...headers, ...(apiKey && { authorization: `Bearer ${apiKey}` }), ...traceHeaders() },
    handshakeTimeout: connectTimeoutMs,
    maxPayload: EVENT_BYTES_MAX,
    perMessageDeflate: false,
  });
}

/** Rejects when the upstream refuses the socket or is unreachable. */
function refusedBy(ws: WebSocket): Promise<never> {
  return new Promise((_, reject) => {
    ws.once('error', (error) => reject(faultOfTransport(error, false)));
    ws.once('unexpected-response', (_request, response: IncomingMessage) => {
      void faultOfRefusal(response)
        .then(reject)
        .finally(() => ws.terminate());
    });
  });
}

async function faultOfRefusal(response: IncomingMessage): Promise<ProviderError> {
  let text = '';
  try {
    for await (const part of response.setEncoding('utf8')) {
      text += String(part);
      if (text.length > REFUSAL_BYTES_MAX) break;
    }
  } catch {
    // The status is sufficient.
  }
  return faultOfStatus(response.statusCode ?? 0, response.headers, text);
}

function parsed(message: Buffer): Json | undefined {
  try {
    const event: unknown = JSON.parse(message.toString());
    return isObject(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

/** An upstream's `error` event: the caller's fault, the platform's account, or the upstream's own failure. */
export function faultOfEvent({ error }: Json): ProviderError {
  const said = isObject(error) ? error : {};
  const text = (name: string) => (typeof said[name] === 'string' ? said[name] : undefined);
  const detail = { message: text('message'), param: text('param'), code: text('code'), type: text('type') };
  if (isOwnAccount(400, detail) || detail.code === 'invalid_api_key')
    return new ProviderError('account', 'the upstream refuses the account');
  if (detail.type === 'invalid_request_error')
    return new ProviderError('refused', 'the upstream refused an event', { status: 400, detail });
  if (detail.code === 'rate_limit_exceeded' || detail.type === 'rate_limit_error')
    return new ProviderError('overloaded', 'the upstream limits the account', { detail });
  return new ProviderError('failed', 'the upstream reported an error', { detail });
}

// Codes by which a server asks its clients to come back later: it restarts, or has too many clients.
const LATER = [1001, 1012, 1013];

const faultOfClose = (code: number) =>
  LATER.includes(code)
    ? new ProviderError('overloaded', `the upstream closed the socket with ${code}`)
    : new ProviderError('failed', `the upstream closed the socket with ${code}`);
