import type { Bill } from '../db/ledger.ts';
import type { Model } from '../db/catalog.ts';
import { costNanosOf, type Quantities } from '../db/money.ts';
import type { Context } from './context.ts';
import { elapsedMs } from './http/answer.ts';

/** The bill of a call that ends now, priced at its model's rates. */
export function billNow(
  ctx: Context,
  { model, quantities, status }: { model: Model; quantities: Quantities; status: number },
): Bill {
  return {
    requestId: ctx.state.requestId,
    spender: ctx.state.key,
    costNanos: costNanosOf(quantities, model.rates),
    route: ctx.state.route,
    model: model.id,
    status,
    cancelled: false,
    usage: quantities,
    startedAtMs: ctx.state.startedAtMs,
    firstByteMs: null,
    durationMs: elapsedMs(ctx),
    streamBytes: 0,
  };
}
