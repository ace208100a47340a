import type { FilterQuery, InferEntity } from '@mikro-orm/core';
import type { AuditEntry } from '../entities/workspace.ts';
import { newId } from '../ids.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { AnyRows, AnyTransaction } from '../postgres/rows.ts';

/** The actor of an audited action: a key or, for their own account, a person; with the request. */
export interface Actor {
  keyId: string | null;
  userId?: string;
  requestId: string;
}

/** Records an action of an operator, a publisher or a key manager, in the action's own transaction. */
export async function audit(
  { em, AuditEntry }: AnyTransaction,
  { keyId, userId, requestId }: Actor,
  entry: { workspaceId: string | null; action: string; subjectType: string; subjectId: string; detail?: object },
): Promise<void> {
  await em.insert(AuditEntry, { id: newId('aud'), keyId, userId, requestId, ...entry });
}

type AuditRow = InferEntity<typeof AuditEntry>;

/** An audit entry with the name of its key or person; null for an action of the platform itself. */
export type ListedAudit = AuditRow & { by: string | null };

/** Filters of the audit; omitted members match all. */
export interface AuditFilter {
  workspaceId?: string;
  action?: string;
  subjectId?: string;
  from?: Date;
  to?: Date;
}

/** Audit entries, newest first. */
export function listAudit(
  rows: AnyRows,
  { from, to, ...equal }: AuditFilter,
  page: PageQuery,
): Promise<{ rows: ListedAudit[]; hasMore: boolean }> {
  return rows.transaction(async (tx) => {
    const createdAt = { ...(from && { $gte: from }), ...(to && { $lt: to }) };
    const wanted = Object.entries({ ...equal, ...((from ?? to) && { createdAt }) });
    const where = Object.fromEntries(wanted.filter(([, value]) => value !== undefined)) as FilterQuery<AuditRow>;
    const found = await readPage(tx, tx.AuditEntry, where, page);
    const idsOf = (column: 'keyId' | 'userId') =>
      [...new Set(found.rows.map((row) => row[column]))].filter((id) => id !== null);
    const keys = await tx.em.find(tx.ApiKey, { id: idsOf('keyId') }, { fields: ['name'] });
    const users = await tx.em.find(tx.User, { id: idsOf('userId') }, { fields: ['name'] });
    const names = new Map([...keys, ...users].map(({ id, name }) => [id, name]));
    const nameOf = ({ userId, keyId }: AuditRow) => names.get(userId ?? '') ?? names.get(keyId ?? '') ?? null;
    return { ...found, rows: found.rows.map((row) => ({ ...row, by: nameOf(row) })) };
  });
}
