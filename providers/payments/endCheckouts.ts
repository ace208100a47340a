import type { Pool } from 'pg';
import { endOpenCheckout, listOpenCheckouts } from '../../db/payments/openCheckouts.ts';
import { isStripeError, type Payments } from './stripe.ts';

/**
 * Expires the open payment pages of an erased workspace: they can no longer be paid. A page that was paid just before is reported by
 * Stripe's event. Throws while Stripe is unreachable; a retry expires the rest.
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
