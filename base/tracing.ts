import type { Attributes, Span, SpanOptions, SpanStatus } from '@opentelemetry/api';

/** Kinds of spans, by OpenTelemetry's numbers: only `base/telemetry/` loads its packages, and only while tracing is on. */
export const SPAN_KIND = { server: 1, client: 2, producer: 3, consumer: 4 } as const;
/** The status of a span whose work failed, by OpenTelemetry's number. */
export const FAILED: SpanStatus = { code: 2 };

/** Records what a request does, here and in other processes. `base/telemetry/openTracing.ts` makes it. */
export interface Tracing {
  /** The span of the current work. */
  active(): Span | undefined;
  /**
   * Starts a span below a parent, possibly of another process (its W3C `traceparent`). The caller ends it. `spanId`: an id that other
   * processes derive too.
   */
  start(name: string, options: SpanOptions & { spanId?: string }, parent: Span | string | undefined): Span;
  /** Runs work below a span, or without one. */
  within<T>(span: Span | undefined, work: () => T): T;
  /** Sends the recorded spans. */
  close(): Promise<void>;
}

/** Undefined: tracing is off. Programs set it once, before they create anything that checks it. */
export let tracing: Tracing | undefined;

/** Turns tracing on. */
export function traceWith(opened: Tracing | undefined): void {
  tracing = opened;
}

/**
 * Runs work in a new span, below the active one or `parent`. An unsampled trace needs no further spans: its first span here is propagated
 * instead.
 */
export async function inSpan<T>(
  to: Tracing,
  name: string,
  { parent = to.active(), ...options }: SpanOptions & { parent?: Span | string | undefined },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (typeof parent === 'object' && !isRecorded(parent)) return work(parent);
  const span = to.start(name, options, parent);
  try {
    return await to.within(span, () => work(span));
  } catch (error) {
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Whether the span's trace is sampled. */
export const isRecorded = (span: Span): boolean => (span.spanContext().traceFlags & 1) === 1;

/** Records the kind of an error: its code, its class, or the word that was thrown. Its text is left out: it may quote a customer. */
export function markFailed(span: Span, error: unknown): void {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const words = [code, name, error].filter((one) => typeof one === 'string');
  const type = words.find((word) => /^[\w.-]{1,60}$/.test(word)) ?? '_OTHER';
  span.setAttribute('error.type', type).setStatus(FAILED);
}

/** Runs work that serves many requests outside any span, so that it does not count for the request that started it. */
export function apart<T>(work: () => T): T {
  return tracing ? tracing.within(undefined, work) : work();
}

/** The W3C header by which spans of another process continue this one. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}

/** The active span, for a request to another service. */
export function traceHeaders(): { traceparent?: string } {
  const span = tracing?.active();
  return span ? { traceparent: traceparentOf(span) } : {};
}

/** The active span, for a log line. */
export function traceFields(): Attributes {
  const context = tracing?.active()?.spanContext();
  return context ? { trace_id: context.traceId, span_id: context.spanId } : {};
}
