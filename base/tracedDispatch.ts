import type { Span } from '@opentelemetry/api';
import type { Dispatcher } from 'undici';
import { FAILED, isRecorded, markFailed, SPAN_KIND, traceparentOf, tracing, type Tracing } from './tracing.ts';

type Handler = Dispatcher.DispatchHandler;
type Headers = Dispatcher.DispatchOptions['headers'];

/**
 * The same connections. While tracing is on, each request over them is a span, propagated in the header `traceparent`. `to`: their only
 * origin.
 */
export function tracedConnections<D extends Dispatcher>(connections: D, to?: string): D {
  if (tracing) traceDispatch(tracing, connections, to);
  return connections;
}

function traceDispatch(tracing: Tracing, connections: Dispatcher, to: string | undefined): void {
  const dispatch = connections.dispatch.bind(connections);
  connections.dispatch = (options, handler) => {
    const parent = tracing.active();
    if (!parent) return dispatch(options, handler);
    if (!isRecorded(parent)) {
      return dispatch({ ...options, headers: withTraceparent(options.headers, traceparentOf(parent)) }, handler);
    }
    const { method, origin = to } = options;
    const attributes = { 'http.request.method': method, ...placeOf(origin) };
    const span = tracing.start(method, { kind: SPAN_KIND.client, attributes }, parent);
    const headers = withTraceparent(options.headers, traceparentOf(span));
    return dispatch({ ...options, headers }, new TracedHandler(handler, span));
  };
}

// The path is left out: a tool's path belongs to an agent.
function placeOf(origin: string | URL | undefined) {
  if (origin === undefined) return {};
  const { hostname, port, protocol } = new URL(origin);
  return { 'server.address': hostname, 'server.port': Number(port || (protocol === 'https:' ? 443 : 80)) };
}

function withTraceparent(headers: Headers, traceparent: string): Headers {
  if (Array.isArray(headers)) return [...headers, 'traceparent', traceparent];
  if (headers && Symbol.iterator in headers) return [...headers, ['traceparent', traceparent]] as Headers;
  return { ...headers, traceparent };
}

/** Forwards everything, and ends the span with the answer. */
class TracedHandler implements Handler {
  readonly #handler: Handler;
  readonly #span: Span;

  constructor(handler: Handler, span: Span) {
    this.#handler = handler;
    this.#span = span;
  }

  onRequestStart(...args: Parameters<NonNullable<Handler['onRequestStart']>>): void {
    this.#handler.onRequestStart?.(...args);
  }

  onRequestUpgrade(...args: Parameters<NonNullable<Handler['onRequestUpgrade']>>): void {
    this.#span.end();
    this.#handler.onRequestUpgrade?.(...args);
  }

  onResponseStart(...args: Parameters<NonNullable<Handler['onResponseStart']>>): void {
    const status = args[1];
    if (status >= 200) this.#span.setAttribute('http.response.status_code', status);
    if (status >= 400) this.#span.setAttribute('error.type', String(status)).setStatus(FAILED);
    this.#handler.onResponseStart?.(...args);
  }

  onResponseData(...args: Parameters<NonNullable<Handler['onResponseData']>>): void {
    this.#handler.onResponseData?.(...args);
  }

  onResponseEnd(...args: Parameters<NonNullable<Handler['onResponseEnd']>>): void {
    this.#span.end();
    this.#handler.onResponseEnd?.(...args);
  }

  onResponseError(...args: Parameters<NonNullable<Handler['onResponseError']>>): void {
    markFailed(this.#span, args[1]);
    this.#span.end();
    this.#handler.onResponseError?.(...args);
  }

  onResponseStarted(): void {
    this.#handler.onResponseStarted?.();
  }

  onBodySent(chunk: Buffer): void {
    this.#handler.onBodySent?.(chunk);
  }

  onRequestSent(): void {
    this.#handler.onRequestSent?.();
  }
}
