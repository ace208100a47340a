import { newId } from '../ids.ts';
import type { AnyRows } from '../postgres/rows.ts';
import { insertWorkspace } from '../workspaces/workspaces.ts';

const PREFIX = 'wst';

/** Whether this is a test workspace. The id shows it, so that no step of a call has to look it up. */
export const isTestWorkspace = (workspaceId: string): boolean => workspaceId.startsWith(`${PREFIX}_`);

/** SQL: the same, for a column with a workspace's id. */
export const isTestSql = (column: string): string => `starts_with(${column}, '${PREFIX}_')`;

/** Whether a workspace's money and calls are real. */
export const modeOf = (workspaceId: string): 'live' | 'test' => (isTestWorkspace(workspaceId) ? 'test' : 'live');

/** The id of a live workspace's test workspace, or undefined before it exists. */
export const findTestWorkspaceId = async (rows: AnyRows, liveWorkspaceId: string): Promise<string | undefined> =>
  (await rows.statement(({ em, Workspace }) => em.findOne(Workspace, { liveWorkspaceId })))?.id;

/** The same, created if missing. A test workspace is its own. */
export function openTestWorkspace(rows: AnyRows, workspaceId: string): Promise<string> {
  if (isTestWorkspace(workspaceId)) return Promise.resolve(workspaceId);
  return rows.transaction(async (tx) => {
    // Two concurrent requests create one.
    const live = await tx.em.findOneOrFail(
      tx.Workspace,
      { id: workspaceId },
      { lockMode: tx.LockMode.PESSIMISTIC_WRITE },
    );
    const found = await findTestWorkspaceId(tx, workspaceId);
    return found ?? insertWorkspace(tx, { id: newId(PREFIX), name: live.name, liveWorkspaceId: workspaceId });
  });
}
