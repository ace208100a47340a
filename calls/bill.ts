import type { Model } from '../db/catalog/catalog.ts';
import { PRODUCT_OF_KIND } from '../db/catalog/products.ts';
import type { Bill } from '../db/ledger/ledger.ts';
import { costNanosOf, type Quantities } from '../db/money.ts';
import type { CallAbort } from '../providers/callAbort.ts';
import { noteText } from '../providers/routingNote.ts';
import { elapsedMsOf, type Caller } from './caller.ts';
import type { Sent } from './delivery.ts';
import type { CallServices } from './services.ts';

/** What a bill is made of. */
interface Billed {
  caller: Caller;
  services: Pick<CallServices, 'db'>;
  call: {
    readonly model: Model;
    readonly details?: Pick<Bill, 'finishReason' | 'cachedTokens' | 'reasoningTokens'> | undefined;
  };
  to: { readonly sent?: Sent };
  abort: CallAbort;
}

/** The bill of a call that ends now, priced at its model's rates. */
export function billOf({ caller, services, call, to, abort }: Billed, quantities: Quantities, status: number): Bill {
  const { model, details } = call;
  const { sent } = to;
  services.db.prices.record(model);
  const { requestId, key, route, startedAtMs, product } = caller;
  return {
    requestId,
    spender: key,
    costNanos: costNanosOf(quantities, model.rates),
    route,
    model: model.id,
    status,
    cancelled: false,
    usage: quantities,
    startedAtMs,
    firstByteMs: sent?.firstByteMs ?? null,
    durationMs: elapsedMsOf(caller),
    streamBytes: sent?.bytes ?? 0,
    upstream: abort.upstream,
    attempts: abort.attempts,
    routing: abort.routing && noteText(abort.routing),
    finishReason: details?.finishReason ?? null,
    cachedTokens: details?.cachedTokens ?? null,
    reasoningTokens: details?.reasoningTokens ?? null,
    priceId: model.priceId ?? null,
    product: product ?? PRODUCT_OF_KIND[model.kind],
  };
}
