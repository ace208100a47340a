import { readDetails } from '../../db/invoices/details.ts';
import { conflict } from '../../base/errors/requestErrors.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';

/**
 * Where Stripe Tax adds tax, a card that pays by itself needs an address to compute it from. Throws 409 `billing_details_required` while the
 * workspace has none.
 */
export async function requireTaxAddress(ctx: Context, { db, payments }: Services): Promise<void> {
  if (!payments?.addsTax) return;
  const { country } = await readDetails(db.read(ctx.state.key.workspaceId));
  if (country === null)
    throw conflict(
      'billing_details_required',
      'Automatic payments are taxed by the address: set it first, with the country. PATCH /platform/v1/billing/details.',
    );
}
