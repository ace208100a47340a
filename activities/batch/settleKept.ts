import { dropResult, readUnsettled, type UnsettledLine } from '../../db/batches/batchResults.ts';
import { HoldRefused } from '../../db/ledger/hold.ts';
import type { Ledger } from '../../db/ledger/ledger.ts';
import type { Key } from '../../db/keys/keys.ts';
import type { Rows } from '../../db/postgres/rows.ts';

/** What became of the lines of a killed worker: those whose answers were taken back, and why. */
export interface SettledLines {
  dropped: number[];
  restCode?: string;
}

/**
 * Bills the answers that a killed worker of an earlier release had stored and not billed, each under the id of its call, so that it is
 * billed once whatever that worker still does. An answer that cannot be paid for any more is taken back.
 */
export async function settleKept(
  { everywhere, ledger }: { everywhere: Rows<undefined>; ledger: Pick<Ledger, 'posted' | 'hold' | 'settle'> },
  { batchId, key, ...range }: { batchId: string; key: Key | null; from: number; to: number },
): Promise<SettledLines> {
  await ledger.posted();
  const settled: SettledLines = { dropped: [] };
  for (const unsettled of await readUnsettled(everywhere, batchId, range)) {
    const refused = key ? await settleOne(ledger, key, unsettled) : 'invalid_api_key';
    if (refused === undefined) continue;
    await dropResult(everywhere, batchId, unsettled.line);
    settled.dropped.push(unsettled.line);
    settled.restCode = refused;
  }
  return settled;
}

async function settleOne(
  ledger: Pick<Ledger, 'hold' | 'settle'>,
  key: Key,
  { bill: kept }: UnsettledLine,
): Promise<string | undefined> {
  const { chargedNanos, ...bill } = kept;
  const needNanos = BigInt(chargedNanos) || 1n;
  try {
    const held = await ledger.hold(key, needNanos, { wholeNanos: needNanos, needNanos });
    await ledger.settle(held, { ...bill, costNanos: BigInt(bill.costNanos), spender: key, product: 'batch' });
    return undefined;
  } catch (error) {
    if (!(error instanceof HoldRefused)) throw error;
    return codeOf(error.reason);
  }
}

function codeOf(reason: HoldRefused['reason']): string {
  switch (reason) {
    case 'revoked':
      return 'invalid_api_key';
    case 'ceiling':
    case 'secret':
      return 'key_spend_limit_reached';
    case 'project':
      return 'project_spend_limit_reached';
    case 'balance':
    case 'short':
    case 'held':
      return 'insufficient_balance';
    default:
      return reason satisfies never;
  }
}
