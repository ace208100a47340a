import type { InferEntity } from '@mikro-orm/core';
import type { LedgerEntry } from '../entities/ledger.ts';
import { withArchived } from '../postgres/archive.ts';
import type { Bound, Rows } from '../postgres/rows.ts';
import { readHashes } from './entryHashes.ts';
import {
  allOf,
  BESIDE,
  CHANGES,
  entriesWhere,
  mayBeArchived,
  ownTable,
  type LedgerFilter,
  type Where,
} from './ledgerFilter.ts';

/**
 * One entry that a workspace sees. Entries of its account (call, top-up, refund, adjust) carry the balance after them and the hash of
 * their chain. Others are beside the account: what its agents earned, and what its failed runs consumed without being charged. Amounts in
 * nano-USD, debits below zero; hashes are hexadecimal SHA-256.
 */
export interface WorkspaceEntry {
  id: string;
  /** Its number in the account; null for one beside it. */
  sequence: bigint | null;
  kind: string;
  amountNanos: bigint;
  balanceAfterNanos: bigint | null;
  /** The call that was billed or refunded, null for other kinds. */
  requestId: string | null;
  runId: string | null;
  keyPrefix: string | null;
  /** Of the call or run, and of its payment. Another workspace's run, of which this one earned a share, is not described. */
  model: string | null;
  route: string | null;
  agent: string | null;
  receiptUrl: string | null;
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
 * Entries of one account, which is of the workspace. With the workspace too, the planner would expect hardly any, and read all its calls by
 * another index.
 */
const BY_ACCOUNT = { filters: { workspace: false } } as const;

type Row = InferEntity<typeof LedgerEntry>;

/**
 * Entries that the workspace sees, newest first: at most `limit` before a position, and the position of the next page if there is one.
 */
export function listLedgerEntries(
  rows: Rows,
  {
    accountId,
    before,
    limit,
    filter = {},
  }: {
    accountId: string;
    before: LedgerPosition | null;
    limit: number;
    filter?: LedgerFilter;
  },
): Promise<{ entries: WorkspaceEntry[]; next: LedgerPosition | null }> {
  return rows.transaction(async (tx) => {
    const read = () => readEntryPage(tx, { accountId, before, limit, filter });
    if (!mayBeArchived(filter)) return read();
    return withArchived(tx, {
      within: { from: filter.from, to: await listedUpTo(tx, { accountId, before, to: filter.to }) },
      read,
      reaches: ({ entries, next }) => (next ? entries.at(-1)!.createdAt : undefined),
    });
  });
}

/** The time of the newest entry of a page: that of the first entry which is not on it. */
async function listedUpTo(
  { em, LedgerEntry, client, archive }: Bound,
  { accountId, before, to }: { accountId: string; before: LedgerPosition | null; to: Date | undefined },
): Promise<Date | undefined> {
  if (before === null || !archive) return to;
  const { sequence } = before;
  const [row] = await em.find(LedgerEntry, { accountId, sequence }, { ...BY_ACCOUNT, fields: ['createdAt'] });
  const line = row
    ? undefined
    : (await archive.linesOf(client, { accountId, first: sequence, last: sequence })).get(sequence);
  const at = row?.createdAt ?? (line && new Date((JSON.parse(line) as { created_at: string }).created_at));
  // Entries beside the account may be older than this entry, and none of them is archived.
  const end = at && new Date(at.getTime() + 1);
  return end && (!to || end < to) ? end : to;
}

interface PageOfEntries {
  accountId: string;
  before: LedgerPosition | null;
  limit: number;
  filter: LedgerFilter;
}

async function readEntryPage(tx: Bound, { accountId, before, limit, filter }: PageOfEntries) {
  const { em, LedgerLeg } = tx;
  const isEarlier = before === null ? {} : { sequence: { $lt: before.sequence } };
  const isOlder = before === null ? {} : { transactionId: { $lt: before.transactionId } };
  const where = await entriesWhere(tx, accountId, filter);
  // One more than requested: it shows whether there are more.
  const page = { limit: limit + 1 };
  const own = await em.find(ownTable(tx, filter), allOf(where.own, isEarlier), {
    ...page,
    ...BY_ACCOUNT,
    orderBy: { sequence: 'desc' },
  });
  const beside = await em.find(LedgerLeg, allOf(where.beside, isOlder), {
    ...page,
    orderBy: { transactionId: 'desc' },
  });
  const shown = [...own, ...beside].toSorted(byAge).slice(0, limit);
  return {
    entries: await describe(tx, shown),
    next: own.length + beside.length > limit ? positionAfter(shown.at(-1)!, own) : null,
  };
}

/** One entry by its public id; undefined for one that the workspace has not. */
export function findLedgerEntry(rows: Rows, accountId: string, id: string): Promise<WorkspaceEntry | undefined> {
  return rows.transaction(async (tx) => {
    const { em, LedgerEntry } = tx;
    const condition = conditionOf(accountId, id);
    const sequence = sequenceOf(accountId, id);
    const options = { ...(sequence !== undefined && BY_ACCOUNT), limit: 1 };
    let found = await em.find(LedgerEntry, condition, options);
    if (found.length === 0 && sequence !== undefined && tx.archive) {
      const range = { accountId, first: sequence, last: sequence };
      const line = (await tx.archive.linesOf(tx.client, range)).get(sequence);
      if (line === undefined) return undefined;
      await tx.archive.join(tx, { ids: [(JSON.parse(line) as { subject: string }).subject] });
      found = await em.find(LedgerEntry, condition, options);
    }
    return (await describe(tx, found))[0];
  });
}

function conditionOf(accountId: string, id: string): Where {
  const sequence = sequenceOf(accountId, id);
  if (sequence !== undefined) return { accountId, sequence };
  const kind = BESIDE.find((one) => id.startsWith(`le_${one}`)) ?? 'none';
  return { kind, subject: `run_${id.slice(`le_${kind}`.length)}` };
}

/** The number in the id of an account's own entry; undefined for others. */
function sequenceOf(accountId: string, id: string): bigint | undefined {
  const start = entryIdOf(accountId, '');
  const own = id.startsWith(start) && /^\d{1,18}$/.exec(id.slice(start.length));
  return own ? BigInt(own[0]) : undefined;
}

/** The entries of a call or run, oldest first. */
export function listEntriesOf(rows: Rows, subject: string): Promise<WorkspaceEntry[]> {
  return rows.transaction(async (tx) => {
    const kind = ['debit', ...CHANGES, ...BESIDE];
    return describe(
      tx,
      await tx.em.find(tx.LedgerEntry, { kind, subject }, { orderBy: { transactionId: 'asc', leg: 'asc' } }),
    );
  });
}

/** The public id of an account's entry. */
export function entryIdOf(accountId: string, sequence: bigint | string): string {
  return `le_${accountId.replace(/^acct_/, '')}${sequence}`;
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

const isRun = ({ subject }: Row) => subject.startsWith('run_');
const isCall = (row: Row) => ['debit', ...CHANGES].includes(row.kind) && !isRun(row);
// A reversal of a payment is numbered.
const paymentOf = ({ subject }: Row) => subject.split('/')[0]!;

/** The entries with what they were for. */
async function describe({ em, client, archive, ...tables }: Bound, rows: Row[]): Promise<WorkspaceEntry[]> {
  const { ApiKey, Request, Run, Topup } = tables;
  const idsOf = (some: Row[]) => some.map(({ subject }) => subject);
  const requests = await em.find(Request, { id: idsOf(rows.filter(isCall)) });
  const runs = await em.find(Run, { id: idsOf(rows.filter(isRun)) }, { fields: ['agent'] });
  const payments = rows.filter((row) => row.sequence !== null && !isCall(row) && !isRun(row)).map(paymentOf);
  const topups = await em.find(Topup, { paymentIntent: payments }, { fields: ['paymentIntent', 'receiptUrl'] });
  const keyIds = [...rows.map(({ keyId }) => keyId ?? ''), ...requests.map(({ keyId }) => keyId)];
  const keys = await em.find(ApiKey, { id: [...new Set(keyIds)] }, { fields: ['prefix'] });
  const hashes = await readHashes({ client, archive }, rows);
  return rows.map((row) => {
    const request = requests.find(({ id }) => id === row.subject);
    const keyId = row.keyId ?? request?.keyId;
    return {
      ...factsOf(row),
      keyPrefix: keys.find(({ id }) => id === keyId)?.prefix ?? null,
      model: request?.model ?? null,
      route: request?.route ?? (isRun(row) && row.kind !== 'earning' ? '/v1/runs' : null),
      agent: runs.find(({ id }) => id === row.subject)?.agent ?? null,
      receiptUrl: topups.find(({ paymentIntent }) => paymentIntent === paymentOf(row))?.receiptUrl ?? null,
      // For an entry beside the account, the hash seals its transaction; it is not a link of a chain.
      hash: row.sequence ? hexOf(row.hash) : null,
      prevHash: row.sequence ? hexOf(hashes.get(row.sequence - 1n)) : null,
    };
  });
}

const factsOf = (row: Row) => ({
  id: row.sequence ? entryIdOf(row.accountId, row.sequence) : `le_${row.kind}${row.subject.replace(/^run_/, '')}`,
  sequence: row.sequence ?? null,
  kind: row.kind,
  amountNanos: row.amountNanos,
  balanceAfterNanos: row.balanceAfterNanos ?? null,
  requestId: isCall(row) ? row.subject : null,
  runId: isRun(row) ? row.subject : null,
  createdAt: row.createdAt,
});

function hexOf(hash: Uint8Array | null | undefined): string | null {
  return hash ? Buffer.from(hash).toString('hex') : null;
}
