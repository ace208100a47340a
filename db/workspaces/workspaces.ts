import type { InferEntity } from '@mikro-orm/core';
import type { Workspace } from '../entities/workspace.ts';
import { newId } from '../ids.ts';
import type { AnyRows } from '../postgres/rows.ts';

type WorkspaceRow = InferEntity<typeof Workspace>;

const OLDEST_FIRST = { createdAt: 'asc', id: 'asc' } as const;

/** Creates a workspace with its account. Returns its id. */
export function createWorkspace(rows: AnyRows, name: string): Promise<string> {
  return insertWorkspace(rows, { id: newId('ws'), name });
}

/** Creates a live workspace, or the test workspace of a live one, with its account. Returns its id. */
export function insertWorkspace(
  rows: AnyRows,
  row: { id: string; name: string; liveWorkspaceId?: string },
): Promise<string> {
  const workspaceId = row.id;
  return rows.transaction(async ({ em, Account, Workspace, sql }) => {
    // Not the transaction's time, because of several created together the first must be the oldest.
    await em.insert(Workspace, { ...row, createdAt: sql`clock_timestamp()` });
    await em.insert(Account, { id: newId('acct'), workspaceId, kind: 'customer' });
    return workspaceId;
  });
}

/** Every live workspace, oldest first. For operators: callers only see their own. */
export const listWorkspaces = (rows: AnyRows): Promise<WorkspaceRow[]> =>
  rows.statement(({ em, Workspace }) => em.find(Workspace, { liveWorkspaceId: null }, { orderBy: OLDEST_FIRST }));

/** The oldest workspace, or undefined before there is one. */
export async function findFirstWorkspace(rows: AnyRows): Promise<WorkspaceRow | undefined> {
  const [first] = await rows.statement(({ em, Workspace }) =>
    em.find(Workspace, { liveWorkspaceId: null }, { orderBy: OLDEST_FIRST, limit: 1 }),
  );
  return first;
}

/** The workspace with that id, or undefined. */
export async function findWorkspace(rows: AnyRows, id: string): Promise<WorkspaceRow | undefined> {
  return (await rows.statement(({ em, Workspace }) => em.findOne(Workspace, { id }))) ?? undefined;
}

/** The names of these workspaces, by id. */
export async function readWorkspaceNames(rows: AnyRows, ids: string[]): Promise<Map<string, string>> {
  const found = await rows.statement(({ em, Workspace }) => em.find(Workspace, { id: { $in: ids } }));
  return new Map(found.map(({ id, name }) => [id, name]));
}

/** The id of the test workspace that belongs to a live one, or undefined before there is one. */
export const findTestWorkspaceId = async (rows: AnyRows, liveWorkspaceId: string): Promise<string | undefined> =>
  (await rows.statement(({ em, Workspace }) => em.findOne(Workspace, { liveWorkspaceId })))?.id;

/** The ids of a workspace in both modes: of its test workspace, if there is one, and its own. */
export async function idsInBothModes(rows: AnyRows, workspaceId: string): Promise<string[]> {
  const testId = await findTestWorkspaceId(rows, workspaceId);
  return testId === undefined ? [workspaceId] : [testId, workspaceId];
}

/** The platform's own workspace: of its own agents, of the trials of reviews, and of operators. Undefined before the bootstrap. */
export async function findPlatformWorkspaceId(rows: AnyRows): Promise<string | undefined> {
  const own = await rows.statement(({ em, Namespace }) => em.findOne(Namespace, { name: 'ledgerline' }));
  return own?.workspaceId;
}
