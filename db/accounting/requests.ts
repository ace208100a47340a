import type { FilterQuery, InferEntity } from '@mikro-orm/core';
import type { Request } from '../entities/ledger.ts';
import type { RefusedCall } from '../entities/usage.ts';
import { entryIdOf } from '../ledger/ledgerEntries.ts';
import type { Product } from '../catalog/products.ts';
import { exactTimeSql, placeIn, placeOf, readPage, type PageQuery } from '../postgres/page.ts';
import { isOfProjectSql } from './projectSql.ts';
import { withArchived } from '../postgres/archive.ts';
import type { Bound, Rows, Transaction } from '../postgres/rows.ts';
import { refusedProductOf } from './refusedProduct.ts';
import { requestsWhere, type RequestFilter, type RequestsWhere } from './requestFilter.ts';

type Row = InferEntity<typeof Request>;
/** Its entry in the ledger, which `ledgerEntryIds` names. */
type Debit = 'transactionId' | 'leg' | 'accountId' | 'debitedNanos' | 'sequence' | 'balanceAfterNanos' | 'hash';

/**
 * An ended call with its key, and the entries that billed and refunded it. Amounts in nano-USD, times in milliseconds. A call refused
 * before its hold costs and uses nothing.
 */
export type EndedRequest = Omit<Row, 'model' | 'product' | Debit> & {
  /** Null: the call was refused before it named a model. */
  model: string | null;
  /** Null: what was refused asked for none. */
  product: Product | null;
  key: { prefix: string; name: string } | undefined;
  ledgerEntryIds: string[];
  /** Retries that got its answer. */
  retries: number;
  /** Why it was refused; kept for some days. `calls`: how many calls of one minute it represents. */
  refusal: { code: string; message: string; calls: number } | null;
  /** Whether its content is kept. */
  hasContent: boolean;
};

/** A call of the workspace, or undefined when it is unknown, of another workspace, or still running. */
export function findRequest(rows: Rows, id: string): Promise<EndedRequest | undefined> {
  return rows.transaction(async (tx) => {
    const found: Found = { calls: await tx.em.find(tx.Request, { id }), refused: [] };
    if (found.calls.length === 0 && tx.archive) {
      await tx.archive.join(tx, { ids: [id] });
      found.calls = await tx.em.find(tx.Request, { id });
    }
    if (found.calls.length === 0) found.refused = await tx.em.find(tx.RefusedCall, { id, ...tx.unexpired() });
    return (await withEntries(tx, found))[0];
  });
}

/** A page of calls. `next`: the place of the last one, when more follow. */
interface RequestPage {
  rows: EndedRequest[];
  next: string | null;
}

/** Ended calls, the last settled first, refused ones included. What is pruned between two pages ends no list. */
export function listRequests(rows: Rows, filter: RequestFilter, page: PageQuery): Promise<RequestPage> {
  return rows.transaction(async (tx) => {
    const where = await requestsWhere(tx, filter);
    return withArchived(tx, {
      within: { from: where.within.from, to: await listedUpTo(tx, filter, page) },
      read: () => readRequests(tx, where, page),
      // Of the last row; without more rows, what is missing may be in any month.
      reaches: ({ rows: listed, next }) => (next === null ? undefined : listed.at(-1)!.settledAt),
    });
  });
}

/** The time of the newest row of a page. The call after which it begins becomes visible. */
async function listedUpTo(tx: Transaction, { to }: RequestFilter, { after }: PageQuery): Promise<Date | undefined> {
  if (after === null || !tx.archive || !(await tx.archive.hasMonths(tx.client))) return to;
  const last = await settledAtOf(tx, after);
  // Times of a millisecond: the next row may be in the same one.
  const end = last && new Date(last.getTime() + 1);
  return end && (!to || end < to) ? end : to;
}

async function settledAtOf(tx: Transaction, after: string): Promise<Date | undefined> {
  const { id, exactTime } = placeIn(after);
  if (exactTime !== null) return new Date(exactTime);
  await tx.archive.join(tx, { ids: [id] });
  const [last] = await tx.em.find(tx.Request, { id }, { fields: ['settledAt'] });
  return last?.settledAt;
}

async function readRequests(tx: Transaction, where: RequestsWhere, page: PageQuery): Promise<RequestPage> {
  const calls = await readPage(tx, tx.Request, where.ended, {
    ...page,
    by: 'settledAt',
    beside: { table: 'refused_calls', time: 'created_at' },
  });
  const refused = await readRefused(tx, where.refused, page);
  const listed = await withEntries(tx, { calls: calls.rows, refused: refused.rows });
  const places = await placesOf(tx, listed);
  const sorted = listed.toSorted((one, other) => places.get(one.id)!.rank - places.get(other.id)!.rank);
  const hasMore = calls.hasMore || refused.hasMore || sorted.length > page.limit;
  const rows = sorted.slice(0, page.limit);
  return { rows, next: hasMore ? places.get(rows.at(-1)!.id)!.place : null };
}

type Refused = InferEntity<typeof RefusedCall>;

interface Found {
  calls: Row[];
  /** Refusals without a row of a call. */
  refused: Refused[];
}

async function readRefused(tx: Bound, where: FilterQuery<Refused> | undefined, page: PageQuery) {
  if (!where) return { rows: [], hasMore: false };
  return readPage(tx, tx.RefusedCall, where, { ...page, beside: { table: 'requests', time: 'settled_at' } });
}

/** The places of calls by their time, the last first: the database compares times more precisely than we could. */
async function placesOf(
  { client }: Bound,
  listed: EndedRequest[],
): Promise<Map<string, { rank: number; place: string }>> {
  const { rows } = await client.query<{ id: string; exactTime: string }>(ORDER, [listed.map(({ id }) => id)]);
  return new Map(rows.map((row, rank) => [row.id, { rank, place: placeOf(row) }]));
}

const ORDER = `
select o.id, ${exactTimeSql('o.at')} as "exactTime" from (
  select id, settled_at as at from requests where id = any ($1)
  union all select id, created_at from refused_calls r where id = any ($1) and not exists (select from requests q where q.id = r.id)) o
order by o.at desc, o.id desc`;

async function withEntries(tx: Bound, { calls, refused }: Found): Promise<EndedRequest[]> {
  const { em, ApiKey, LedgerLeg, RequestContent, RequestRetries, RefusedCall } = tx;
  const ids = calls.map(({ id }) => id);
  const keys = await em.find(ApiKey, { id: [...new Set([...calls, ...refused].map(({ keyId }) => keyId))] });
  const entries = await em.find(
    LedgerLeg,
    { kind: ['debit', 'refund', 'correction'], subject: ids },
    { orderBy: { sequence: 'asc' } },
  );
  const retried = new Map(
    (await em.find(RequestRetries, { requestId: ids })).map(({ requestId, retries }) => [requestId, retries]),
  );
  const failedIds = calls.filter(({ status }) => status >= 400).map(({ id }) => id);
  const reasons = new Map(
    (await em.find(RefusedCall, { id: failedIds, ...tx.unexpired() })).map((row) => [row.id, row]),
  );
  const allIds = [...calls, ...refused].map(({ id }) => id);
  const contents = await em.find(RequestContent, { requestId: allIds, ...tx.unexpired() }, { fields: ['requestId'] });
  const withContent = new Set(contents.map(({ requestId }) => requestId));
  const bySubject = Map.groupBy(entries, ({ subject }) => subject);
  const ended = calls.map((row) => ({
    ...row,
    ledgerEntryIds: [row, ...(bySubject.get(row.id) ?? [])].flatMap(({ accountId, sequence }) =>
      accountId !== null && sequence !== null ? entryIdOf(accountId, sequence) : [],
    ),
    retries: retried.get(row.id) ?? 0,
    refusal: refusalOf(reasons.get(row.id)),
  }));
  const keyOf = new Map(keys.map((key) => [key.id, key]));
  return [...ended, ...refused.map(withoutBill)].map((row) => ({
    ...row,
    key: keyOf.get(row.keyId),
    hasContent: withContent.has(row.id),
  }));
}

const refusalOf = (row: Refused | undefined): EndedRequest['refusal'] =>
  row ? { code: row.code, message: row.message, calls: row.calls } : null;

/** A refused call as a call without usage. */
function withoutBill(row: Refused): Omit<EndedRequest, 'key' | 'hasContent'> {
  const { id, workspaceId, keyId, projectId, route, model, status, durationMs, createdAt } = row;
  return {
    id,
    workspaceId,
    keyId,
    route,
    model,
    product: refusedProductOf(route),
    status,
    durationMs,
    cancelled: false,
    usage: {},
    costNanos: 0n,
    writtenOffNanos: 0n,
    holdNanos: 0n,
    startedAt: new Date(createdAt.getTime() - durationMs),
    settledAt: createdAt,
    firstByteMs: null,
    streamBytes: 0,
    provisional: false,
    upstream: null,
    attempts: null,
    routing: null,
    finishReason: null,
    cachedTokens: null,
    reasoningTokens: null,
    priceId: null,
    projectId,
    ledgerEntryIds: [],
    retries: 0,
    refusal: refusalOf(row),
  };
}

/** The number of calls that ended with a status and code, and the latest of them. */
export interface RefusalCount {
  status: number;
  code: string;
  calls: number;
  lastId: string;
  message: string;
}

/** Refused and failed calls, by status and code, the most frequent first. `until` is excluded. */
export async function countRefusals(
  tx: Bound,
  {
    since,
    until,
    model,
    keyIds,
    project,
    codesMax = 50,
  }: {
    since: Date;
    until: Date;
    model?: string | undefined;
    keyIds?: string[] | null;
    project?: string | undefined;
    codesMax?: number;
  },
): Promise<RefusalCount[]> {
  const values = [tx.workspaceId, since, until, model ?? null, keyIds ?? null, codesMax, project ?? null];
  const { rows } = await tx.client.query<RefusalCount>(REFUSALS, values);
  return rows;
}

// Raw: sums by group, with the newest row of each.
const REFUSALS = `
select status, code, sum(calls)::int as calls, (array_agg(id order by created_at desc, id desc))[1] as "lastId",
  (array_agg(message order by created_at desc, id desc))[1] as message
from refused_calls where workspace_id = $1 and created_at >= $2 and created_at < $3 and expires_at > ledger_now($1)
  and ($4::text is null or model = $4) and ($5::text[] is null or key_id = any ($5))
  and ${isOfProjectSql('project_id', '$7')}
group by 1, 2 order by 3 desc, 1, 2 limit $6`;
