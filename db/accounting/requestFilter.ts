import type { FilterQuery, InferEntity } from '@mikro-orm/core';
import type { Product } from '../catalog/products.ts';
import type { Request } from '../entities/ledger.ts';
import type { RefusedCall } from '../entities/usage.ts';
import type { Bound } from '../postgres/rows.ts';
import type { Span } from '../postgres/archive.ts';
import { storedProjectOf } from '../workspaces/defaultProject.ts';
import { endedWithin } from './endedWithin.ts';
import { REFUSAL_DAYS } from './refusals.ts';
import { refusedProductSql } from './refusedProduct.ts';

/** Filters of a list of calls; omitted members match all. */
export interface RequestFilter {
  model?: string;
  /** Its id or prefix. */
  key?: string;
  /** The member whose own key was used. */
  member?: string;
  /** The id of a project in the API. */
  project?: string;
  route?: string;
  product?: Product;
  status?: RequestStatus;
  /** Of the error that was answered; known as long as refusals are kept. */
  code?: string;
  /** Whether its content is kept. */
  content?: boolean;
  /** Time of settlement: from the first time (inclusive) to the second (exclusive). */
  from?: Date;
  to?: Date;
}

/** Statuses from the first to the second; or calls with a disconnected client. */
type RequestStatus = { from: number; to: number } | 'cancelled';

/** The conditions for ended calls, and for calls that were refused before they became calls: undefined where none of these fits. */
export interface RequestsWhere {
  ended: FilterQuery<Ended>;
  refused: FilterQuery<Refused> | undefined;
  /** Archived calls that match are of this time. */
  within: Span;
}

export async function requestsWhere(tx: Bound, filter: RequestFilter): Promise<RequestsWhere> {
  const keyIds = await keyIdsWith(tx, filter);
  const common = commonWhere(tx, filter, keyIds);
  const { model, route, product, project, from, to } = filter;
  const projectId = project === undefined ? undefined : storedProjectOf(project);
  const times = await endedWithin(tx, { keyIds, model, route, product, projectId });
  const first = times?.at(-1)?.from;
  return {
    ended: endedWhere(tx, common, filter, times),
    refused: refusedWhere(tx, common, filter),
    within: { from: first && (!from || first > from) ? first : from, to },
  };
}

type Ended = InferEntity<typeof Request>;
type Refused = InferEntity<typeof RefusedCall>;
type Common = ReturnType<typeof commonWhere>;

function endedWhere(tx: Bound, common: Common, filter: RequestFilter, times: Span[] | undefined): FilterQuery<Ended> {
  const { status, product, code } = filter;
  const settledAt = timeOf(filter);
  return {
    $and: [
      common,
      product !== undefined && { product },
      status === 'cancelled' && { cancelled: true },
      typeof status === 'object' && { ...statusesOf(status), cancelled: false },
      settledAt && { settledAt },
      times && { $or: times.map((one) => ({ settledAt: timeOf(one) })) },
      // Only these have a reason, as long as refusals are kept: the index of failed calls finds them.
      code !== undefined && { status: { $gte: 400 }, settledAt: reasonedSince(tx), [tx.raw(hasReason, [code])]: [] },
    ].filter(Boolean) as object[],
  };
}

function refusedWhere(tx: Bound, common: Common, filter: RequestFilter): FilterQuery<Refused> | undefined {
  const { status, product, code } = filter;
  if (status === 'cancelled' || (status && status.to < 400)) return undefined;
  const createdAt = timeOf(filter);
  return {
    $and: [
      common,
      { [tx.raw(hasNoCallSql)]: [] },
      tx.unexpired(),
      product !== undefined && { [tx.raw(isOfProduct, [product])]: [] },
      status && statusesOf(status),
      createdAt && { createdAt },
      code !== undefined && { code },
    ].filter(Boolean) as object[],
  };
}

// A day more, because a bill and its reason are not written at once.
const reasonedSince = ({ sql, workspaceId }: Bound) => ({
  $gt: sql`ledger_now(${workspaceId}) - make_interval(days => ${REFUSAL_DAYS + 1})`,
});

const hasReason = (alias: string) =>
  `exists (select from refused_calls c where c.id = ${alias}.id and c.code = ? and c.expires_at > ledger_now(c.workspace_id))`;

/**
 * SQL: whether a refusal has no row of a call. `offset 0`: each is looked up in the month of its id. Otherwise the planner, which expects few
 * calls of a tenant, reads all of them for a week of refusals.
 */
export const hasNoCallSql = (alias: string): string =>
  `not exists (select from requests q where q.id = ${alias}.id offset 0)`;

// Without `coalesce` the planner expects next to none, and sorts all refusals instead of reading the newest by their index.
const isOfProduct = (alias: string) => `coalesce(${refusedProductSql(`${alias}.route`)} = ?, false)`;

const hasContent = (alias: string) =>
  `exists (select from request_contents c where c.request_id = ${alias}.id and c.expires_at > ledger_now(c.workspace_id))`;

const hasNoContent = (alias: string) => `not ${hasContent(alias)}`;

function commonWhere(tx: Bound, { model, project, route, content }: RequestFilter, keyIds: string[] | undefined) {
  const kept = content === undefined ? undefined : tx.raw(content ? hasContent : hasNoContent);
  return {
    ...(model !== undefined && { model }),
    ...(route !== undefined && { route }),
    ...(project !== undefined && { projectId: storedProjectOf(project) }),
    ...(keyIds && { keyId: keyIds }),
    ...(kept && { [kept]: [] }),
  };
}

/** The keys of a filter; undefined: all. */
async function keyIdsWith(tx: Bound, { key, member }: RequestFilter): Promise<string[] | undefined> {
  const named = key === undefined ? undefined : await keyIdsOf(tx, key);
  const own = member === undefined ? undefined : await memberKeyIdsOf(tx, member);
  return named && own ? named.filter((id) => own.includes(id)) : (named ?? own);
}

const statusesOf = ({ from, to }: { from: number; to: number }) => ({ status: { $gte: from, $lte: to } });

const timeOf = ({ from, to }: Span) => (from || to) && { ...(from && { $gte: from }), ...(to && { $lt: to }) };

/** The keys of the workspace with this id or prefix. */
export async function keyIdsOf({ em, ApiKey }: Bound, key: string): Promise<string[]> {
  const keys = await em.find(ApiKey, { $or: [{ id: key }, { prefix: key }] }, { fields: ['id'] });
  return keys.map(({ id }) => id);
}

async function memberKeyIdsOf({ em, ApiKey }: Bound, member: string): Promise<string[]> {
  const keys = await em.find(ApiKey, { memberUserId: member }, { fields: ['id'] });
  return keys.map(({ id }) => id);
}
