import type { Queryable } from '../postgres/queryable.ts';

/** Where a payout goes: to the workspace's own prepaid balance, or out of the platform. */
export type PayoutDestination = 'balance' | 'transfer';

/** The earnings that were not paid out yet, in nano-USD. Other payouts of the workspace wait until the transaction ends. */
export async function lockEarnings(client: Queryable, workspaceId: string): Promise<bigint> {
  const { rows } = await client.query<{ nanos: string }>('select ledger_earnings($1) as nanos', [workspaceId]);
  return BigInt(rows[0]!.nanos);
}

/** Takes a payout from the earnings, once for each id. A transfer is set aside until it is sent or returned. */
export async function payOut(
  client: Queryable,
  payout: { id: string; workspaceId: string; destination: PayoutDestination; amountNanos: bigint },
): Promise<void> {
  const { id, workspaceId, destination, amountNanos } = payout;
  await client.query('select ledger_pay_out($1, $2, $3, $4)', [id, workspaceId, destination, amountNanos]);
}

/** Ends a transfer that was set aside: the money has left the platform, or is among the earnings again. */
export async function endTransfer(
  client: Queryable,
  { id, workspaceId, amountNanos }: { id: string; workspaceId: string; amountNanos: bigint },
  status: 'sent' | 'rejected',
): Promise<void> {
  const [kind, to] = status === 'sent' ? ['payout_sent', 'payments'] : ['payout_returned', `payable_${workspaceId}`];
  await client.query('select ledger_move($1, $2, $3, $4, $5)', [kind, id, 'payouts', to, amountNanos]);
}
