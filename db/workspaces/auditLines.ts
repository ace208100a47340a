import type { FilterQuery, InferEntity } from '@mikro-orm/core';
import type { AuditEntry } from '../entities/workspace.ts';
import type { AnyRows, AnyTransaction } from '../postgres/rows.ts';

type AuditRow = InferEntity<typeof AuditEntry>;

/** An entry of a workspace's audit as its owners get it: in lists, files and events. */
export interface AuditLine {
  id: string;
  object: 'audit.entry';
  workspace_id: string;
  action: string;
  subject_type: string;
  subject_id: string;
  /** Who did it: one of the workspace's people or keys, or the platform, whose people are not named. */
  actor: { type: 'person' | 'key' | 'platform'; id: string | null; name: string | null; email: string | null };
  detail: Record<string, unknown>;
  request_id: string;
  created_at: string;
}

/** Where a reading of the audit goes on: after this entry. */
export interface AuditPlace {
  createdAt: Date;
  id: string;
}

/** Which entries: `from` inclusive, `to` exclusive. */
export interface AuditRange {
  from?: Date;
  to?: Date;
  action?: string;
  subjectId?: string;
}

/** Entries of a workspace, oldest first (newest with `isNewestFirst`), `limit` at most. */
export function readAuditLines(
  rows: AnyRows,
  workspaceId: string,
  { from, to, action, subjectId }: AuditRange,
  { after, limit, isNewestFirst = false }: { after?: AuditPlace | undefined; limit: number; isNewestFirst?: boolean },
): Promise<{ lines: AuditLine[]; last: AuditPlace | undefined }> {
  const [beyond, direction] = isNewestFirst ? (['$lt', 'desc'] as const) : (['$gt', 'asc'] as const);
  return rows.transaction(async (tx) => {
    const where = {
      workspaceId,
      ...(action !== undefined && { action }),
      ...(subjectId !== undefined && { subjectId }),
      ...((from ?? to) && { createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) } }),
      ...(after && {
        $or: [{ createdAt: { [beyond]: after.createdAt } }, { createdAt: after.createdAt, id: { [beyond]: after.id } }],
      }),
    } as FilterQuery<AuditRow>;
    const found = await tx.em.find(tx.AuditEntry, where, { orderBy: { createdAt: direction, id: direction }, limit });
    const lines = await linesOf(tx, workspaceId, found);
    const last = found.at(-1);
    return { lines, last: last && { createdAt: last.createdAt, id: last.id } };
  });
}

/** The entries with the names of the workspace's own people and keys. */
async function linesOf(tx: AnyTransaction, workspaceId: string, rows: AuditRow[]): Promise<AuditLine[]> {
  const known = await readKnown(tx, workspaceId, rows);
  return rows.map((row) => {
    const actor = actorOf(row, known);
    return {
      id: row.id,
      object: 'audit.entry',
      workspace_id: workspaceId,
      action: row.action,
      subject_type: row.subjectType,
      subject_id: row.subjectId,
      actor,
      // What operators note is theirs.
      detail: actor.type === 'platform' ? {} : (withoutSecrets(row.detail) as Record<string, unknown>),
      request_id: row.requestId,
      created_at: row.createdAt.toISOString(),
    };
  });
}

interface Known {
  people: Map<string, { name: string; email: string }>;
  keys: Map<string, string>;
}

/** People count who are or were members: each has had a key of the workspace. */
async function readKnown(
  { em, ApiKey, Member, User }: AnyTransaction,
  workspaceId: string,
  rows: AuditRow[],
): Promise<Known> {
  const userIds = [...new Set(rows.flatMap(({ userId }) => userId ?? []))];
  const keyIds = [...new Set(rows.flatMap(({ keyId }) => keyId ?? []))];
  const members = await em.find(Member, { workspaceId, userId: { $in: userIds } });
  const former = await em.find(ApiKey, { workspaceId, memberUserId: { $in: userIds } }, { fields: ['memberUserId'] });
  const own = [...members.map(({ userId }) => userId), ...former.flatMap(({ memberUserId }) => memberUserId ?? [])];
  const users = await em.find(User, { id: { $in: own } }, { fields: ['id', 'name', 'email'] });
  const keys = await em.find(ApiKey, { workspaceId, id: { $in: keyIds } }, { fields: ['id', 'name'] });
  return {
    people: new Map(users.map(({ id, name, email }) => [id, { name, email }])),
    keys: new Map(keys.map(({ id, name }) => [id, name])),
  };
}

function actorOf({ userId, keyId }: AuditRow, { people, keys }: Known): AuditLine['actor'] {
  const person = people.get(userId ?? '');
  if (person) return { type: 'person', id: userId, ...person };
  const name = keys.get(keyId ?? '');
  if (name !== undefined && userId === null) return { type: 'key', id: keyId, name, email: null };
  return { type: 'platform', id: null, name: null, email: null };
}

// Nothing that is audited has one. This holds if something ever does.
const SECRET = /\b(?:sk_(?:live|test)_|whsec_|https?:\/\/[^/\s:@]+:)[^\s"@]+/g;

function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(SECRET, '[removed]');
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutSecrets(member)]));
}

/** The entry as its workspace gets it. */
export async function auditLineOf(tx: AnyTransaction, row: AuditRow & { workspaceId: string }): Promise<AuditLine> {
  return (await linesOf(tx, row.workspaceId, [row]))[0]!;
}
