import type { FilterQuery, InferEntity } from '@mikro-orm/core';
import type { PRODUCTS } from '../catalog/products.ts';
import type { Request } from '../entities/ledger.ts';
import type { RefusedCall } from '../entities/usage.ts';
import type { Bound } from '../postgres/rows.ts';
import { storedProjectOf } from '../workspaces/defaultProject.ts';
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
  product?: (typeof PRODUCTS)[number];
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
export async function requestsWhere(
  tx: Bound,
  filter: RequestFilter,
): Promise<{ ended: FilterQuery<Ended>; refused: FilterQuery<Refused> | undefined }> {
  const common = await commonWhere(tx, filter);
  return { ended: endedWhere(tx, common, filter), refused: refusedWhere(tx, common, filter) };
}

type Ended = InferEntity<typeof Request>;
type Refused = InferEntity<typeof RefusedCall>;
type Common = Awaited<ReturnType<typeof commonWhere>>;

function endedWhere(tx: Bound, common: Common, filter: RequestFilter): FilterQuery<Ended> {
  const { status, product, code } = filter;
  const settledAt = timeOf(filter);
  return {
    $and: [
      common,
      product !== undefined && { product },
      status === 'cancelled' && { cancelled: true },
      typeof status === 'object' && { ...statusesOf(status), cancelled: false },
      settledAt && { settledAt },
      // Only these have a reason: the index of failed calls finds them.
      code !== undefined && { status: { $gte: 400 }, [tx.raw(hasReason, [code])]: [] },
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
      { [tx.raw(hasNoCall)]: [] },
      tx.unexpired(),
      product !== undefined && { [tx.raw(isOfProduct, [product])]: [] },
      status && statusesOf(status),
      createdAt && { createdAt },
      code !== undefined && { code },
    ].filter(Boolean) as object[],
  };
}

const hasReason = (alias: string) =>
  `exists (select from refused_calls c where c.id = ${alias}.id and c.code = ? and c.expires_at > ledger_now(c.workspace_id))`;

const hasNoCall = (alias: string) => `not exists (select from requests q where q.id = ${alias}.id)`;

const isOfProduct = (alias: string) => `${refusedProductSql(`${alias}.route`)} = ?`;

const hasContent = (alias: string) =>
  `exists (select from request_contents c where c.request_id = ${alias}.id and c.expires_at > ledger_now(c.workspace_id))`;

const hasNoContent = (alias: string) => `not ${hasContent(alias)}`;

async function commonWhere(tx: Bound, { key, member, model, project, route, content }: RequestFilter) {
  const kept = content === undefined ? undefined : tx.raw(content ? hasContent : hasNoContent);
  return {
    ...(model !== undefined && { model }),
    ...(route !== undefined && { route }),
    ...(project !== undefined && { projectId: storedProjectOf(project) }),
    $and: [
      ...(key !== undefined ? [{ keyId: await keyIdsOf(tx, key) }] : []),
      ...(kept ? [{ [kept]: [] }] : []),
      ...(member !== undefined ? [{ keyId: await memberKeyIdsOf(tx, member) }] : []),
    ],
  };
}

const statusesOf = ({ from, to }: { from: number; to: number }) => ({ status: { $gte: from, $lte: to } });

const timeOf = ({ from, to }: RequestFilter) => (from || to) && { ...(from && { $gte: from }), ...(to && { $lt: to }) };

/** The keys of the workspace with this id or prefix. */
export async function keyIdsOf({ em, ApiKey }: Bound, key: string): Promise<string[]> {
  const keys = await em.find(ApiKey, { $or: [{ id: key }, { prefix: key }] }, { fields: ['id'] });
  return keys.map(({ id }) => id);
}

async function memberKeyIdsOf({ em, ApiKey }: Bound, member: string): Promise<string[]> {
  const keys = await em.find(ApiKey, { memberUserId: member }, { fields: ['id'] });
  return keys.map(({ id }) => id);
}
