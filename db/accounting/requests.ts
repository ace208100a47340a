import type { FilterQuery, InferEntity } from '@mikro-orm/core';
import type { Request } from '../entities/ledger.ts';
import { entryIdOf } from '../ledger/ledgerEntries.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { Bound, Rows } from '../postgres/rows.ts';

type Row = InferEntity<typeof Request>;

/**
 * An ended call with its key, and the entries that billed and refunded it. Amounts in nano-USD, times in milliseconds.
 */
export type EndedRequest = Row & {
  key: { prefix: string; name: string } | undefined;
  ledgerEntryIds: string[];
  /** Retries that were answered with its answer. */
  retries: number;
};

/** Filters of a list of calls; omitted members match all. `keyId` may also be a key's prefix. */
export interface RequestFilter {
  model?: string;
  key?: string;
  route?: string;
  status?: RequestStatus;
  /** Time of settlement: from the first time (inclusive) to the second (exclusive). */
  from?: Date;
  to?: Date;
}

/** Statuses from the first to the second; or calls whose clients disconnected. */
type RequestStatus = { from: number; to: number } | 'cancelled';

/** A call of the workspace, or undefined when it is unknown, of another workspace, or still running. */
export function findRequest(rows: Rows, id: string): Promise<EndedRequest | undefined> {
  return rows.transaction(async (tx) => {
    const found = await tx.em.find(tx.Request, { id });
    return (await withEntries(tx, found))[0];
  });
}

/** Ended calls, the last settled first. */
export function listRequests(
  rows: Rows,
  filter: RequestFilter,
  page: PageQuery,
): Promise<{ rows: EndedRequest[]; hasMore: boolean }> {
  return rows.transaction(async (tx) => {
    const where = await conditionOf(tx, filter);
    const found = await readPage(tx, tx.Request, where, { ...page, by: 'settledAt' });
    return { ...found, rows: await withEntries(tx, found.rows) };
  });
}

async function conditionOf(tx: Bound, { key, status, from, to, model, route }: RequestFilter) {
  const settledAt = { ...(from && { $gte: from }), ...(to && { $lt: to }) };
  const where: FilterQuery<Row> = {
    ...(model !== undefined && { model }),
    ...(route !== undefined && { route }),
    ...(key !== undefined && { keyId: await keyIdsOf(tx, key) }),
    ...(status === 'cancelled' && { cancelled: true }),
    ...(typeof status === 'object' && { status: { $gte: status.from, $lte: status.to }, cancelled: false }),
    ...(Object.keys(settledAt).length > 0 && { settledAt }),
  };
  return where;
}

/** The keys of the workspace with this id or prefix. */
export async function keyIdsOf({ em, ApiKey }: Bound, key: string): Promise<string[]> {
  const keys = await em.find(ApiKey, { $or: [{ id: key }, { prefix: key }] }, { fields: ['id'] });
  return keys.map(({ id }) => id);
}

async function withEntries({ em, ApiKey, LedgerEntry, RequestRetries }: Bound, rows: Row[]): Promise<EndedRequest[]> {
  const ids = rows.map(({ id }) => id);
  const keys = await em.find(ApiKey, { id: [...new Set(rows.map(({ keyId }) => keyId))] });
  const entries = await em.find(
    LedgerEntry,
    { kind: ['debit', 'refund', 'correction'], subject: ids },
    { orderBy: { sequence: 'asc' } },
  );
  const retried = await em.find(RequestRetries, { requestId: ids });
  const bySubject = Map.groupBy(entries, ({ subject }) => subject);
  return rows.map((row) => ({
    ...row,
    key: keys.find(({ id }) => id === row.keyId),
    ledgerEntryIds: (bySubject.get(row.id) ?? []).map(({ accountId, sequence }) => entryIdOf(accountId, sequence!)),
    retries: retried.find(({ requestId }) => requestId === row.id)?.retries ?? 0,
  }));
}
