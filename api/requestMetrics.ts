import type { Metrics } from '../base/telemetry/metrics.ts';
import type { Context } from './context.ts';
import { elapsedMsOf } from '../calls/caller.ts';
import { CLIENT_CLOSED_STATUS } from '../calls/caller.ts';
import type { RouteTable } from './http/routeTable.ts';

const NANOS_PER_USD = 1e9;
// Rare ones that alerts compare with what they were.
const AWAITED = [200, 400, 500, 503].map((status) => ({
  method: 'POST',
  route: '/platform/v1/billing/stripe/webhook',
  status,
}));

/** Counts each answered request under its route. All unknown URLs share one series, so that strangers cannot create series. */
export function countRequest(
  metrics: Pick<Metrics, 'announce' | 'count'>,
  table: Pick<RouteTable, 'isRoute'>,
): (ctx: Context) => void {
  const nameOf = routeNamer(table);
  for (const one of AWAITED) metrics.announce(one);
  return (ctx) => {
    const { log } = ctx.state;
    metrics.count({
      method: ctx.method,
      route: nameOf(ctx) ?? 'unknown',
      status: statusOf(ctx),
      durationMs: elapsedMsOf(ctx.state),
      model: log.model,
      costUsd: log.costNanos === undefined ? undefined : Number(log.costNanos) / NANOS_PER_USD,
    });
  };
}

/** Names the route of a request as in the route table; undefined for unknown URLs. */
export const routeNamer =
  ({ isRoute }: Pick<RouteTable, 'isRoute'>) =>
  ({ state: { route } }: Context): string | undefined =>
    isRoute(route) ? route : undefined;

/** The status of an answered request; 499 for a disconnected client. */
export const statusOf = ({ state: { log }, res }: Context): number =>
  log.cancelled ? CLIENT_CLOSED_STATUS : res.statusCode;
