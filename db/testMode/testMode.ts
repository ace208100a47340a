import { newId } from '../ids.ts';
import type { AnyRows } from '../postgres/rows.ts';
import { insertWorkspace } from '../workspaces/workspaces.ts';

const PREFIX = 'wst';

/** Whether a workspace is one for tests. Its id shows it, so that no step of a call has to look it up. */
export const isTestWorkspace = (workspaceId: string): boolean => workspaceId.startsWith(`${PREFIX}_`);

/** SQL: the same, of a column with a workspace's id. */
export const isTestSql = (column: string): string => `starts_with(${column}, '${PREFIX}_')`;

/** Whether a workspace's money and calls are real. */
export const modeOf = (workspaceId: string): 'live' | 'test' => (isTestWorkspace(workspaceId) ? 'test' : 'live');

/** The id of the test workspace that belongs to a live one, or undefined before there is one. */
export const findTestWorkspaceId = async (rows: AnyRows, liveWorkspaceId: string): Promise<string | undefined> =>
  (await rows.statement(({ em, Workspace }) => em.findOne(Workspace, { liveWorkspaceId })))?.id;

/** The same, made where there is none yet. A test workspace is its own. */
export function openTestWorkspace(rows: AnyRows, workspaceId: string): Promise<string> {
  if (isTestWorkspace(workspaceId)) return Promise.resolve(workspaceId);
  return rows.transaction(async (tx) => {
    // Two requests at once make one.
    const live = await tx.em.findOneOrFail(
      tx.Workspace,
      { id: workspaceId },
      { lockMode: tx.LockMode.PESSIMISTIC_WRITE },
    );
    const found = await findTestWorkspaceId(tx, workspaceId);
    return found ?? insertWorkspace(tx, { id: newId(PREFIX), name: live.name, liveWorkspaceId: workspaceId });
  });
}
