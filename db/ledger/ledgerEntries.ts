import type { InferEntity } from '@mikro-orm/core';
import type { LedgerEntry, Request } from '../entities/ledger.ts';
import type { Bound, Rows } from '../postgres/rows.ts';

/**
 * One entry that a workspace sees. Entries of its account (call, top-up, refund, adjust) carry the balance after them and the hash of
 * their chain. Others are beside the account: what its agents earned, and what its failed runs consumed without being charged. Amounts in
 * nano-USD, debits below zero; hashes are hexadecimal SHA-256.
 */
export interface WorkspaceEntry {
  id: string;
  kind: string;
  amountNanos: bigint;
  balanceAfterNanos: bigint | null;
  /** The call that was billed or refunded, null for other kinds. */
  requestId: string | null;
  runId: string | null;
  keyPrefix: string | null;
  createdAt: Date;
  hash: string | null;
  /** The hash of the entry before, null for the first one. */
  prevHash: string | null;
}

/** The end of a page: entries of the account come before this sequence, others before this transaction. */
export interface LedgerPosition {
  sequence: bigint;
  transactionId: bigint;
}

/**
 * Entries that the workspace sees, newest first: at most `limit` before a position, and the position of the next page if there is one.
 */
export function listLedgerEntries(
  rows: Rows,
  { accountId, before, limit }: { accountId: string; before: LedgerPosition | null; limit: number },
): Promise<{ entries: WorkspaceEntry[]; next: LedgerPosition | null }> {
  return rows.transaction(async (tx) => {
    const { em, LedgerEntry } = tx;
    const isEarlier = before === null ? {} : { sequence: { $lt: before.sequence } };
    const isOlder = before === null ? {} : { transactionId: { $lt: before.transactionId } };
    // One more than requested: it shows whether there are more, and its hash is the predecessor of the last one.
    const page = { limit: limit + 1 };
    const own = await em.find(LedgerEntry, { accountId, ...isEarlier }, { ...page, orderBy: { sequence: 'desc' } });
    const beside = await em.find(
      LedgerEntry,
      { kind: ['earning', 'absorbed'], ...isOlder },
      { ...page, orderBy: { transactionId: 'desc' } },
    );
    const shown = [...own, ...beside].toSorted(byAge).slice(0, limit);
    const prefixes = await readPrefixes(tx, shown);
    const hashes = new Map(own.map(({ sequence, hash }) => [sequence, hash]));
    return {
      entries: shown.map((row) => entryOf(row, prefixes, hashes)),
      next: own.length + beside.length > limit ? positionAfter(shown.at(-1)!, own) : null,
    };
  });
}

/** The public id of an account's entry. */
function entryIdOf(accountId: string, sequence: bigint): string {
  return `le_${accountId.replace(/^acct_/, '')}${sequence}`;
}

type Row = InferEntity<typeof LedgerEntry>;

async function readPrefixes({ em, ApiKey }: Bound, rows: Row[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.map(({ keyId }) => keyId).filter((id) => typeof id === 'string'))];
  const keys = await em.find(ApiKey, { id: ids }, { fields: ['prefix'] });
  return new Map(keys.map(({ id, prefix }) => [id, prefix]));
}

// Newest first; of one transaction, the account's own entry first.
function byAge(one: Row, other: Row): number {
  if (one.transactionId !== other.transactionId) return one.transactionId < other.transactionId ? 1 : -1;
  return Number((other.sequence ?? -1n) - (one.sequence ?? -1n));
}

// An entry that arrives between two pages is newer than both, and belongs to neither.
function positionAfter(last: Row, own: Row[]): LedgerPosition {
  const isOwn = last.sequence !== null;
  const following = own.find((row) => byAge(last, row) < 0);
  return {
    sequence: following ? following.sequence! + 1n : 1n,
    transactionId: isOwn ? last.transactionId + 1n : last.transactionId,
  };
}

function entryOf(
  row: Row,
  prefixes: Map<string, string>,
  hashes: Map<bigint | null | undefined, Uint8Array | null | undefined>,
): WorkspaceEntry {
  const isRun = row.subject.startsWith('run_');
  const isCall = ['debit', 'refund', 'correction'].includes(row.kind);
  return {
    id: row.sequence ? entryIdOf(row.accountId, row.sequence) : `le_${row.kind}${row.subject.replace(/^run_/, '')}`,
    kind: row.kind,
    amountNanos: row.amountNanos,
    balanceAfterNanos: row.balanceAfterNanos ?? null,
    requestId: isCall && !isRun ? row.subject : null,
    runId: isRun ? row.subject : null,
    keyPrefix: (row.keyId && prefixes.get(row.keyId)) ?? null,
    createdAt: row.createdAt,
    // For an entry beside the account, this hash seals its transaction; it is not a link of a chain.
    hash: row.sequence ? hexOf(row.hash) : null,
    prevHash: row.sequence ? hexOf(hashes.get(row.sequence - 1n)) : null,
  };
}

function hexOf(hash: Uint8Array | null | undefined): string | null {
  return hash ? Buffer.from(hash).toString('hex') : null;
}

/** A call that has ended, with the entries that billed it and took the bill back. Amounts in nano-USD, times in milliseconds. */
export type EndedRequest = InferEntity<typeof Request> & { ledgerEntryIds: string[] };

/** A call of the workspace, or undefined when it is unknown, another workspace's, or still running. */
export function findRequest(rows: Rows, id: string): Promise<EndedRequest | undefined> {
  return rows.transaction(async ({ em, LedgerEntry, Request }) => {
    const request = await em.findOne(Request, { id });
    if (!request) return undefined;
    const entries = await em.find(
      LedgerEntry,
      { kind: ['debit', 'refund', 'correction'], subject: id },
      { orderBy: { sequence: 'asc' } },
    );
    return {
      ...request,
      ledgerEntryIds: entries.map(({ accountId, sequence }) => entryIdOf(accountId, sequence!)),
    };
  });
}
