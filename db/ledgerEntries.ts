import type { InferEntity, MikroORM } from '@mikro-orm/postgresql';
import { ApiKey } from './entities/ApiKey.ts';
import { LedgerEntry } from './entities/LedgerEntry.ts';
import { inWorkspace, type EntityManager } from './tenant.ts';

/** One entry of a customer's account. Amounts in nano-USD, debits below zero; hashes are hexadecimal SHA-256. */
export interface AccountEntry {
  id: string;
  sequence: bigint;
  kind: string;
  amountNanos: bigint;
  balanceAfterNanos: bigint;
  /** The call that was billed or refunded, null for other kinds. */
  requestId: string | null;
  keyPrefix: string | null;
  createdAt: Date;
  hash: string;
  /** The hash of the entry before, null for the first one. */
  prevHash: string | null;
}

/** Entries of the workspace's account, newest first: those before the sequence `before`, at most `limit`, and whether more follow. */
export function listLedgerEntries(
  orm: MikroORM,
  {
    workspaceId,
    accountId,
    before,
    limit,
  }: { workspaceId: string; accountId: string; before: bigint | null; limit: number },
): Promise<{ entries: AccountEntry[]; hasMore: boolean }> {
  return inWorkspace(orm, workspaceId, async (em) => {
    const isEarlier = before === null ? {} : { sequence: { $lt: before } };
    const rows = await em.find(
      LedgerEntry,
      { accountId, workspaceId, ...isEarlier },
      // One more than asked for: it tells whether there are more, and its hash is the last one's predecessor.
      { orderBy: { sequence: 'desc' }, limit: limit + 1 },
    );
    const prefixes = await readPrefixes(em, rows);
    const entries = rows.slice(0, limit).map((row, at) => entryOf(row, rows[at + 1], prefixes));
    return { entries, hasMore: rows.length > limit };
  });
}

/** The public id of an account's entry. */
export function entryIdOf(accountId: string, sequence: bigint): string {
  return `le_${accountId.replace(/^acct_/, '')}${sequence}`;
}

type Row = InferEntity<typeof LedgerEntry>;

async function readPrefixes(em: EntityManager, rows: Row[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.map(({ keyId }) => keyId).filter((id) => typeof id === 'string'))];
  const keys = await em.find(ApiKey, { id: ids }, { fields: ['prefix'] });
  return new Map(keys.map(({ id, prefix }) => [id, prefix]));
}

function entryOf(row: Row, previous: Row | undefined, prefixes: Map<string, string>): AccountEntry {
  return {
    id: entryIdOf(row.accountId, row.sequence!),
    sequence: row.sequence!,
    kind: row.kind,
    amountNanos: row.amountNanos,
    balanceAfterNanos: row.balanceAfterNanos!,
    requestId: row.kind === 'debit' || row.kind === 'refund' ? row.subject : null,
    keyPrefix: (row.keyId && prefixes.get(row.keyId)) ?? null,
    createdAt: row.createdAt,
    hash: hexOf(row.hash!),
    prevHash: previous ? hexOf(previous.hash!) : null,
  };
}

function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex');
}
