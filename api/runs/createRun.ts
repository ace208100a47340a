import type { NewRun } from '../../db/runs/createRun.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { ResolvedAgent } from '../../db/agents/publicAgents.ts';
import { errorOf } from '../../orders/errors.ts';
import * as agents from '../../orders/findAgent.ts';
import type { Order } from '../../orders/order.ts';
import * as orders from '../../orders/place.ts';
import { OrderRefused } from '../../orders/refused.ts';
import type { Context, Handler } from '../context.ts';
import { setEndingHeaders } from '../agents/endingHeaders.ts';
import { withTestFault } from '../guard/testMode.ts';
import type { Services } from '../services.ts';
import { answerRun } from './answerRun.ts';

/**
 * `POST /v1/runs`: starts a run. 202 with the run as created, 200 if it ended while the caller waited (`Prefer: wait=n`), or its events
 * (`stream`). The run is on disk before the answer begins; its workflow starts once Temporal is reachable.
 */
export function createRun(services: Services): Handler<Order> {
  return async (ctx) => {
    const order = ctx.state.input;
    const run = await placeRun(ctx, services, order);
    await answerRun(ctx, services, run, order);
  };
}

/**
 * Creates the ordered run under the id in `ctx.state.resourceId` and starts its workflow. Returns an existing run of that id unchanged.
 * Like all functions here, throws the error of a refusal.
 */
export const placeRun = (ctx: Context, services: Services, order: Order): Promise<RunRow> =>
  answering(() => orders.placeOrder(services, { ...orderingOf(ctx, order), onFound: deprecating(ctx) }));

/** The sold version of an order, and its prices. */
type Ordered = Omit<Parameters<typeof orders.placeSold>[1], 'by' | 'runId' | 'onFound'>;

/** The same for a version that is already known; with `rerun` it repeats a run. */
export const placeRunOf = (ctx: Context, services: Services, { order, ...sold }: Ordered): Promise<RunRow> =>
  answering(() => orders.placeSold(services, { ...orderingOf(ctx, order), ...sold }));

/** Checks an order without placing it. */
export const prepareRun = (ctx: Context, services: Services, { order, ...sold }: Ordered): Promise<NewRun> =>
  answering(() => orders.prepareOrder(services, { ...orderingOf(ctx, order), ...sold }));

/** The version that an order names. A deprecated agent sets its headers. */
export const findAgent = (
  ctx: Context,
  services: Services,
  order: Parameters<typeof agents.findAgent>[2],
): Promise<ResolvedAgent> =>
  answering(async () => {
    const agent = await agents.findAgent(services, { by: ctx.state.key, runId: ctx.state.resourceId }, order);
    deprecating(ctx)(agent);
    return agent;
  });

const deprecating =
  (ctx: Context) =>
  ({ ending }: ResolvedAgent): void =>
    setEndingHeaders(ctx, ending);

/** Runs a part of an order's work for a request, and maps refusals to errors. */
export async function answering<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof OrderRefused ? errorOf(error.refusal) : error;
  }
}

const orderingOf = (ctx: Context, order: Order) => ({
  by: ctx.state.key,
  runId: ctx.state.resourceId,
  order: { ...order, metadata: withTestFault(ctx, order.metadata) },
});
