import type { FilterQuery, InferEntity } from '@mikro-orm/core';
import type { AuditEntry } from '../entities/workspace.ts';
import { recordEvent } from '../events/platformEvents.ts';
import { newId } from '../ids.ts';
import { containing } from '../postgres/likePattern.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { AnyRows, AnyTransaction, Transaction } from '../postgres/rows.ts';
import { auditLineOf } from './auditLines.ts';

/** The actor of an audited action: a key or, for their own account, a person; with the request. */
export interface Actor {
  keyId: string | null;
  userId?: string;
  requestId: string;
}

/** Records an action of an operator, a publisher or a key manager, in the action's own transaction. */
export async function audit(
  tx: AnyTransaction,
  { keyId, userId, requestId }: Actor,
  entry: { workspaceId: string | null; action: string; subjectType: string; subjectId: string; detail?: object },
): Promise<void> {
  const { em, AuditEntry } = tx;
  const id = newId('aud');
  await em.insert(AuditEntry, { id, keyId, userId, requestId, ...entry });
  const { workspaceId } = entry;
  if (workspaceId !== null && (await isFollowed(tx, workspaceId))) await publish(tx, workspaceId, id);
}

/** Makes an audit of one kind of subject, in the workspace of the action's transaction. */
export const auditOf =
  (subjectType: string) =>
  (tx: Transaction, by: Actor, { id, ...entry }: { action: string; id: string; detail?: object }): Promise<void> =>
    audit(tx, by, { workspaceId: tx.workspaceId, subjectType, subjectId: id, ...entry });

/** Whether an endpoint of the workspace names the event: the others, which get all events, then get it too. */
async function isFollowed({ client }: AnyTransaction, workspaceId: string): Promise<boolean> {
  const found = await client.query({ name: 'audit_is_followed', text: IS_FOLLOWED, values: [workspaceId, EVENT] });
  return found.rows.length > 0;
}

const EVENT = 'audit.entry_recorded';
const IS_FOLLOWED = `
select 1 from webhook_endpoints
where workspace_id = $1 and disabled_at is null and deleted_at is null and $2 = any (event_types) limit 1`;

async function publish(tx: AnyTransaction, workspaceId: string, id: string): Promise<void> {
  const row = await tx.em.findOneOrFail(tx.AuditEntry, { id });
  const data = await auditLineOf(tx, { ...row, workspaceId });
  await recordEvent(tx, workspaceId, { type: EVENT, resourceType: 'audit.entry', resourceId: id, data });
}

type AuditRow = InferEntity<typeof AuditEntry>;

/** An audit entry with names. */
export type ListedAudit = AuditRow & {
  /** Of its key or person; null for an action of the platform itself. */
  by: string | null;
  workspaceName: string | null;
  /** Of a key, a person or a workspace; null for other subjects. */
  subjectName: string | null;
};

/** Filters of the audit; omitted members match all. */
export interface AuditFilter {
  workspaceId?: string;
  action?: string;
  subjectId?: string;
  /** Who did it: the id of a person or a key, a person's mail address, or a part of their name. */
  person?: string;
  from?: Date;
  to?: Date;
}

/** Audit entries, newest first. */
export function listAudit(
  rows: AnyRows,
  { from, to, person, ...equal }: AuditFilter,
  page: PageQuery,
): Promise<{ rows: ListedAudit[]; hasMore: boolean }> {
  return rows.transaction(async (tx) => {
    const createdAt = { ...(from && { $gte: from }), ...(to && { $lt: to }) };
    const by = person === undefined ? undefined : await actorsOf(tx, person);
    const wanted = Object.entries({ ...equal, ...((from ?? to) && { createdAt }), $or: by });
    const where = Object.fromEntries(wanted.filter(([, value]) => value !== undefined)) as FilterQuery<AuditRow>;
    const found = await readPage(tx, tx.AuditEntry, where, page);
    const nameOf = await readNames(tx, found.rows);
    const listed = found.rows.map((row) => ({
      ...row,
      by: nameOf(row.userId) ?? nameOf(row.keyId),
      workspaceName: nameOf(row.workspaceId),
      subjectName: nameOf(row.subjectId),
    }));
    return { ...found, rows: listed };
  });
}

const PERSONS_MAX = 100;

async function actorsOf({ em, User }: AnyTransaction, person: string) {
  const named = { $or: [{ email: person.toLowerCase() }, { name: { $ilike: containing(person) } }] };
  const users = await em.find(User, named, { fields: ['id'], limit: PERSONS_MAX });
  return [{ keyId: person }, { userId: { $in: [person, ...users.map(({ id }) => id)] } }];
}

/** The names of the keys, persons and workspaces of these entries, by id. */
async function readNames({ em, ApiKey, User, Workspace }: AnyTransaction, rows: AuditRow[]) {
  const all = rows.flatMap(({ keyId, userId, workspaceId, subjectId }) => [keyId, userId, workspaceId, subjectId]);
  const ids = [...new Set(all)].filter((id) => id !== null);
  const [id, fields] = [{ $in: ids }, ['name'] as const];
  const keys = await em.find(ApiKey, { id }, { fields });
  const users = await em.find(User, { id }, { fields });
  const workspaces = await em.find(Workspace, { id }, { fields });
  const names = new Map([...keys, ...users, ...workspaces].map((one) => [one.id, one.name]));
  return (of: string | null): string | null => names.get(of ?? '') ?? null;
}
