import type { Rows } from '../postgres/rows.ts';

/** Payments that operators have to look at. */
export interface PaymentProblems {
  /** Events of Stripe of the last day about a payment that could not be credited. */
  uncredited: number;
  /** Transfers of earnings that an operator has not sent yet, and the age of the oldest. */
  payouts: number;
  payoutAgeSeconds: number;
}

/** Reads them across all workspaces. */
export async function readPaymentProblems(everywhere: Rows<undefined>): Promise<PaymentProblems> {
  const { rows } = await everywhere.statement(({ client }) => client.query<PaymentProblems>(PROBLEMS));
  return rows[0]!;
}

// Raw: sums over all workspaces. Each part has an index of its own, with these rows alone.
const PROBLEMS = `
select (select count(*)::int from payment_events
  where outcome in ('mismatch', 'unknown') and received_at > now() - interval '1 day') as uncredited,
  count(*)::int as payouts, greatest(0, coalesce(extract(epoch from now() - min(created_at)), 0))::float as "payoutAgeSeconds"
from payouts where status = 'requested'`;
