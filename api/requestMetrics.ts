import type { Metrics } from '../telemetry/metrics.ts';
import type { Context } from './context.ts';
import { CLIENT_CLOSED_STATUS, elapsedMs } from './http/answer.ts';
import type { Route } from './http/router.ts';

const NANOS_PER_USD = 1e9;

/** Counts each answered request under its route. URLs that are no route count as one, so that strangers make no new series. */
export function countRequest(metrics: Pick<Metrics, 'count'>, routes: Pick<Route, 'path'>[]): (ctx: Context) => void {
  const known = new Set(routes.map(({ path }) => path));
  return (ctx) => {
    const { route, log } = ctx.state;
    metrics.count({
      method: ctx.method,
      route: known.has(route) ? route : 'unknown',
      status: log.cancelled ? CLIENT_CLOSED_STATUS : ctx.res.statusCode,
      durationMs: elapsedMs(ctx),
      model: log.model,
      costUsd: log.costNanos === undefined ? undefined : Number(log.costNanos) / NANOS_PER_USD,
    });
  };
}
