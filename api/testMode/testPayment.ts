import { applyFact, createTopup, recordFailed, setSession } from '../../db/payments/topups.ts';
import { nanosOfUsd } from '../../db/money.ts';
import type { Context } from '../context.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import type { Services } from '../services.ts';

const CENTS_PER_USD = 100;

/** The decline reason of a test card, by the amount's cents. */
export const DECLINES: Record<number, string> = { 2: 'card_declined', 41: 'expired_card', 51: 'insufficient_funds' };

/**
 * A payment with test money, which clears at once without a payment service. Returns its page, with nothing left to pay. Throws 402
 * `card_declined` for the amounts of `DECLINES`.
 */
export async function payWithTestCard(ctx: Context, { db, config }: Services, amountUsd: number) {
  const { key, requestId } = ctx.state;
  const amountNanos = nanosOfUsd(amountUsd);
  const order = { workspaceId: key.workspaceId, origin: 'checkout', amountNanos, livemode: false, requestId } as const;
  // A retry whose first answer was lost has the same id.
  const topupId = await createTopup(db.pool, order, ctx.state.resourceId);
  const sessionId = `cs_test_${topupId}`;
  await setSession(db.pool, topupId, sessionId);
  const reason = DECLINES[Math.round(amountUsd * CENTS_PER_USD) % CENTS_PER_USD];
  if (reason !== undefined) {
    await recordFailed(db.pool, { topupId, ...order });
    throw declined(reason);
  }
  const paymentIntent = `pi_test_${topupId}`;
  await applyFact(db, { type: 'paid', topupId, sessionId, paymentIntent, currency: 'usd', ...order });
  const done = ctx.state.member ? '/billing?paid=1' : '/billing/done';
  return { url: config.publicUrl + done, session_id: sessionId, amount: amountUsd };
}

const declined = (reason: string) =>
  new ApiError({
    status: 402,
    code: 'card_declined',
    param: 'amount',
    message: `The test card was declined: ${reason}. The cents of the amount ask for it.`,
  });
