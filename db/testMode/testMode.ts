import { newId } from '../ids.ts';
import type { AnyRows } from '../postgres/rows.ts';
import { lockWorkspace } from '../workspaces/lockWorkspace.ts';
import { isTestWorkspace, TEST_PREFIX } from '../workspaces/mode.ts';
import { findTestWorkspaceId, insertWorkspace } from '../workspaces/workspaces.ts';

/** The id of the test workspace that belongs to a live one, made where there is none yet. A test workspace is its own. */
export function openTestWorkspace(rows: AnyRows, workspaceId: string): Promise<string> {
  if (isTestWorkspace(workspaceId)) return Promise.resolve(workspaceId);
  return rows.transaction(async (tx) => {
    // Two concurrent requests create one.
    const live = (await lockWorkspace(tx, workspaceId))!;
    const found = await findTestWorkspaceId(tx, workspaceId);
    return found ?? insertWorkspace(tx, { id: newId(TEST_PREFIX), name: live.name, liveWorkspaceId: workspaceId });
  });
}
