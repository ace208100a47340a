import type { FilterQuery, InferEntity } from '@mikro-orm/core';
import type { AuditEntry } from '../entities/workspace.ts';
import { readPage } from '../postgres/page.ts';
import type { AnyRows, AnyTransaction } from '../postgres/rows.ts';

type AuditRow = InferEntity<typeof AuditEntry>;

/** An entry of the audit as the owners of its workspace get it, or the platform's operators: in lists, files and events. */
export interface AuditLine<Workspace = string> {
  id: string;
  object: 'audit.entry';
  workspace_id: Workspace;
  action: string;
  subject_type: string;
  subject_id: string;
  /** Who did it: one of the workspace's people or keys, or the platform, whose people are named to operators alone. */
  actor: { type: 'person' | 'key' | 'platform'; id: string | null; name: string | null; email: string | null };
  detail: Record<string, unknown>;
  request_id: string;
  created_at: string;
}

/** Entries, and whether more follow the last one. */
export interface AuditPage<Workspace = string | null> {
  lines: AuditLine<Workspace>[];
  hasMore: boolean;
}

/** Which entries: `from` inclusive, `to` exclusive. */
export interface AuditRange {
  id?: string;
  from?: Date;
  to?: Date;
  action?: string;
  subjectId?: string;
}

/**
 * Entries of a workspace, or of all (null) for operators, oldest first (newest with `isNewestFirst`), `limit` at most, after the one with the
 * id `after`.
 */
export function readAuditLines<Workspace extends string | null>(
  rows: AnyRows,
  workspaceId: Workspace,
  { id, from, to, action, subjectId }: AuditRange,
  { after, limit, isNewestFirst = false }: { after: string | null; limit: number; isNewestFirst?: boolean },
): Promise<AuditPage<Workspace>> {
  return rows.transaction(async (tx) => {
    const where = {
      ...(workspaceId !== null && { workspaceId }),
      ...(id !== undefined && { id }),
      ...(action !== undefined && { action }),
      ...(subjectId !== undefined && { subjectId }),
      ...((from ?? to) && { createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) } }),
    } as FilterQuery<AuditRow>;
    const direction = isNewestFirst ? 'desc' : 'asc';
    const found = await readPage(tx, tx.AuditEntry, where, { after, limit, direction });
    return { lines: await linesOf(tx, workspaceId, found.rows), hasMore: found.hasMore };
  });
}

/** The entries with the names of the workspace's own people and keys, or with all names. */
async function linesOf<Workspace extends string | null>(
  tx: AnyTransaction,
  workspaceId: Workspace,
  rows: AuditRow[],
): Promise<AuditLine<Workspace>[]> {
  const known = await readKnown(tx, workspaceId, rows);
  return rows.map((row) => {
    const actor = actorOf(row, known);
    const isOthers = workspaceId !== null && actor.type === 'platform';
    return {
      id: row.id,
      object: 'audit.entry',
      workspace_id: (workspaceId ?? row.workspaceId) as Workspace,
      action: row.action,
      subject_type: row.subjectType,
      subject_id: row.subjectId,
      actor,
      // What operators note is theirs.
      detail: isOthers ? {} : (withoutSecrets(row.detail) as Record<string, unknown>),
      request_id: row.requestId,
      created_at: row.createdAt.toISOString(),
    };
  });
}

interface Known {
  people: Map<string, { name: string; email: string }>;
  keys: Map<string, string>;
}

async function readKnown(tx: AnyTransaction, workspaceId: string | null, rows: AuditRow[]): Promise<Known> {
  const { em, ApiKey, User } = tx;
  const userIds = [...new Set(rows.flatMap(({ userId }) => userId ?? []))];
  const keyIds = [...new Set(rows.flatMap(({ keyId }) => keyId ?? []))];
  const named = workspaceId === null ? userIds : await ownPeople(tx, workspaceId, userIds);
  const users = await em.find(User, { id: { $in: named } }, { fields: ['id', 'name', 'email'] });
  const ofKeys = { id: { $in: keyIds }, ...(workspaceId !== null && { workspaceId }) };
  const keys = await em.find(ApiKey, ofKeys, { fields: ['id', 'name'] });
  return {
    people: new Map(users.map(({ id, name, email }) => [id, { name, email }])),
    keys: new Map(keys.map(({ id, name }) => [id, name])),
  };
}

/** Those of these people who are or were members: each has had a key of the workspace. */
async function ownPeople(
  { em, ApiKey, Member }: AnyTransaction,
  workspaceId: string,
  userIds: string[],
): Promise<string[]> {
  const members = await em.find(Member, { workspaceId, userId: { $in: userIds } });
  const former = await em.find(ApiKey, { workspaceId, memberUserId: { $in: userIds } }, { fields: ['memberUserId'] });
  return [...members.map(({ userId }) => userId), ...former.flatMap(({ memberUserId }) => memberUserId ?? [])];
}

function actorOf({ userId, keyId }: AuditRow, { people, keys }: Known): AuditLine['actor'] {
  const person = people.get(userId ?? '');
  if (person) return { type: 'person', id: userId, ...person };
  const name = keys.get(keyId ?? '');
  if (name !== undefined && userId === null) return { type: 'key', id: keyId, name, email: null };
  return { type: 'platform', id: null, name: null, email: null };
}

// Nothing that is audited has one. This holds if something ever does.
// The end of a name and a password before an address is not that of a port.
const SECRET = /\b(?:(?:sk_(?:live|test)_|whsec_)[^\s"@]+|https?:\/\/[^/\s:@]+:[^/\s"@]+(?=@))/g;

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
