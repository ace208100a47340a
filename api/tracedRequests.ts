import type { Span } from '@opentelemetry/api';
import { FAILED, SPAN_KIND, type Tracing } from '../base/tracing.ts';
import type { Context } from './context.ts';
import { routeNamer, statusOf } from './requestMetrics.ts';
import type { RouteTable } from './http/routeTable.ts';

// Probes ask every few seconds and are not callers.
const PROBES = new Set(['/healthz', '/readyz']);

type Handle = (ctx: Context, run: (ctx: Context) => Promise<void>) => Promise<void>;

/**
 * Handles each request in a span, which continues the trace of the caller's `traceparent`. The span has the route, never the URL: a path
 * may contain the caller's data.
 */
export function traceRequests(tracing: Tracing, table: Pick<RouteTable, 'isRoute'>, handle: Handle): Handle {
  const nameOf = routeNamer(table);
  return async (ctx, run) => {
    if (PROBES.has(ctx.path)) return handle(ctx, run);
    const { method, req } = ctx;
    const attributes = { 'http.request.method': method, 'url.scheme': ctx.protocol };
    const parent = req.headers['traceparent'] as string | undefined;
    const span = tracing.start(method, { kind: SPAN_KIND.server, attributes }, parent);
    try {
      await tracing.within(span, () => handle(ctx, run));
    } finally {
      end(span, ctx, nameOf(ctx));
    }
  };
}

function end(span: Span, ctx: Context, route: string | undefined): void {
  const status = statusOf(ctx);
  if (route !== undefined) span.updateName(`${ctx.method} ${route}`).setAttribute('http.route', route);
  span.setAttribute('http.response.status_code', status).setAttribute('ledgerline.request_id', ctx.state.requestId);
  if (status >= 500) span.setAttribute('error.type', String(status)).setStatus(FAILED);
  span.end();
}
