import type { Model } from '../../db/catalog.ts';
import type { Bill, Hold } from '../../db/ledger.ts';
import { billNow } from '../bill.ts';
import { CLIENT_CLOSED_STATUS } from '../http/answer.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';

// After this the end of an answer no longer waits for its bill, which is written as soon as the database can.
const SETTLE_WAIT_MS = 10_000;

/** Ends a call whose client left before anything ran: nothing is billed. Returns what to throw. */
export function abandonCall(ctx: Context, { db }: Services, { hold, model }: { hold: Hold; model: Model }): Error {
  ctx.state.log.cancelled = true;
  void db.ledger.fail(hold, {
    ...billNow(ctx, { model, quantities: {}, status: CLIENT_CLOSED_STATUS }),
    cancelled: true,
  });
  return new Error('the client left before its call began');
}

/**
 * Bills an answer of which nothing was sent yet. Throws `LedgerUnavailable` when the bill is not on disk in time; refunded when the
 * process is killed before the answer was sent.
 */
export async function settleUnsent(ctx: Context, { db }: Services, hold: Hold, bill: Bill): Promise<void> {
  ctx.state.log.costNanos = await db.ledger.settleWithin(SETTLE_WAIT_MS, hold, bill, { isUnsent: true });
}

/** Puts a bill on the ledger; resolves when it is there, or when its caller has waited long enough. */
export async function settleInTime(ctx: Context, { db }: Services, hold: Hold, bill: Bill): Promise<void> {
  const settled = db.ledger.settle(hold, bill).then((chargedNanos) => void (ctx.state.log.costNanos = chargedNanos));
  const timedOut = new Promise<void>((resolve) => setTimeout(resolve, SETTLE_WAIT_MS).unref());
  await Promise.race([settled, timedOut]);
}
