import type { LazyOrm } from './postgres/lazyOrm.ts';
import { entryIdOf } from './ledger/ledgerEntries.ts';
import { inWorkspace } from './postgres/tenant.ts';

/** A call that has ended, with the entries that billed it and took the bill back. Amounts in nano-USD, times in milliseconds. */
export interface EndedRequest {
  id: string;
  route: string;
  model: string;
  status: number;
  cancelled: boolean;
  /** What was consumed: quantities by the name of their unit. */
  usage: Record<string, number>;
  costNanos: bigint;
  holdNanos: bigint;
  startedAt: Date;
  firstByteMs: number | null;
  durationMs: number;
  streamBytes: number;
  ledgerEntryIds: string[];
}

/** A call of the workspace, or undefined when it is unknown, another's, or still running. */
export function findRequest(orm: LazyOrm, workspaceId: string, id: string): Promise<EndedRequest | undefined> {
  return inWorkspace(orm, workspaceId, async (em, { LedgerEntry, Request }) => {
    const row = await em.findOne(Request, { workspaceId, id });
    if (!row) return undefined;
    const entries = await em.find(
      LedgerEntry,
      { workspaceId, kind: ['debit', 'refund', 'correction'], subject: id },
      { orderBy: { sequence: 'asc' } },
    );
    return {
      id: row.id,
      route: row.route,
      model: row.model,
      status: row.status,
      cancelled: row.cancelled,
      usage: row.usage as Record<string, number>,
      costNanos: row.costNanos,
      holdNanos: row.holdNanos,
      startedAt: row.startedAt,
      firstByteMs: row.firstByteMs ?? null,
      durationMs: row.durationMs,
      streamBytes: row.streamBytes,
      ledgerEntryIds: entries.map(({ accountId, sequence }) => entryIdOf(accountId, sequence!)),
    };
  });
}
