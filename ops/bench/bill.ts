import { newId } from '../../db/ids.ts';
import type { Bill, Spender } from '../../db/ledger/ledger.ts';

/** The bill of a short call with this cost. */
export function makeBill(spender: Spender, costNanos: bigint): Bill {
  return {
    requestId: newId('req'),
    spender,
    costNanos,
    route: '/v1/chat/completions',
    model: 'bench-text',
    status: 200,
    cancelled: false,
    usage: { input_tokens: 14, output_tokens: 26 },
    startedAtMs: Date.now(),
    firstByteMs: null,
    durationMs: 2,
    streamBytes: 0,
    upstream: 'bench',
    attempts: 1,
    finishReason: 'stop',
    cachedTokens: 0,
    reasoningTokens: 0,
    priceId: 'price_0123456789',
    product: 'text',
  };
}
