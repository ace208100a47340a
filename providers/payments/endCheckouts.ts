import type { Pool } from 'pg';
import { endOpenCheckout, listOpenCheckouts } from '../../db/payments/openCheckouts.ts';
import { isStripeError, type Payments } from './stripe.ts';

/**
 * Ends the payment pages of a workspace that is erased, so that nobody pays for a balance that is gone. A page that was paid a moment ago is
 * Stripe's to tell of. Throws while Stripe is away; a repetition ends the rest.
 */
export async function endCheckouts({ pool }: { pool: Pool }, payments: Payments, workspaceId: string): Promise<void> {
  const open = await listOpenCheckouts(pool, { workspaceId, livemode: payments.isLive });
  if (open.length === 0) return;
  const stripe = await payments.open();
  for (const { id, sessionId } of open) {
    try {
      await stripe.checkout.sessions.expire(sessionId);
    } catch (error) {
      if (!isNoLongerOpen(error)) throw error;
      continue;
    }
    await endOpenCheckout(pool, id);
  }
}

/** The page was paid, has expired, or is of another account of Stripe. */
const isNoLongerOpen = (error: unknown): boolean =>
  isStripeError(error) && (error as { type?: string }).type === 'StripeInvalidRequestError';
