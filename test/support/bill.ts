import { newId } from '../../db/ids.ts';
import type { Bill, Spender } from '../../db/ledger.ts';

/** The bill of a call that ended well, but for what a test says of it. */
export function makeBill(spender: Spender, { costNanos, ...rest }: Partial<Bill> & { costNanos: bigint }): Bill {
  return {
    requestId: newId('req'),
    spender,
    costNanos,
    route: '/v1/chat/completions',
    model: 'ledgerline-text-1',
    status: 200,
    cancelled: false,
    usage: { input_tokens: 10, output_tokens: 5 },
    startedAtMs: Date.now(),
    firstByteMs: null,
    durationMs: 12,
    streamBytes: 0,
    ...rest,
  };
}
