import { z } from 'zod';
import { listLedgerEntries, type LedgerPosition, type WorkspaceEntry } from '../../db/ledger/ledgerEntries.ts';
import { usdOf } from '../../db/money.ts';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import { presentPage } from '../docs/documentedRoute.ts';
import type { Balance, LedgerEntry } from './platformDocs.ts';

export const LedgerQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().min(1).max(500).optional(),
});

/** `GET /platform/v1/billing/balance`: the account's balance, the part that running calls and runs hold, and the rest. */
export function retrieveBalance({ db }: Services): Handler {
  return async (ctx) => {
    await db.ledger.posted();
    const { postedNanos, heldNanos } = await db.ledger.balanceOf(ctx.state.key.workspaceId);
    ctx.body = {
      balance_usd: usdOf(postedNanos),
      held_usd: usdOf(heldNanos),
      available_usd: usdOf(postedNanos - heldNanos),
    } satisfies z.infer<typeof Balance>;
  };
}

const LIST = 'ledger';

/** `GET /platform/v1/billing/ledger`: the account's entries, and those of the workspace that do not change its balance; newest first, in pages. */
export function listLedger({ db, cursors }: Services): Handler {
  return async (ctx) => {
    const { workspaceId, accountId } = ctx.state.key;
    const { limit, cursor } = ctx.state.input as z.output<typeof LedgerQuery>;
    const before = cursor === undefined ? null : positionOf(cursors.read(workspaceId, LIST, cursor));
    await db.ledger.posted();
    const { entries, next } = await listLedgerEntries(db.read(workspaceId), { accountId, before, limit });
    const nextCursor = next && cursors.write(workspaceId, LIST, `${next.sequence} ${next.transactionId}`);
    ctx.body = presentPage(entries.map(presentEntry), nextCursor);
  };
}

function positionOf(text: string): LedgerPosition {
  const [sequence, transactionId] = text.split(' ');
  return { sequence: BigInt(sequence!), transactionId: BigInt(transactionId!) };
}

function presentEntry(entry: WorkspaceEntry): z.infer<typeof LedgerEntry> {
  return {
    id: entry.id,
    object: 'ledger.entry',
    kind: entry.kind,
    amount_usd: usdOf(entry.amountNanos),
    balance_after_usd: entry.balanceAfterNanos === null ? null : usdOf(entry.balanceAfterNanos),
    request_id: entry.requestId,
    run_id: entry.runId,
    key_prefix: entry.keyPrefix,
    created_at: entry.createdAt.toISOString(),
    hash: entry.hash,
    prev_hash: entry.prevHash,
  };
}
