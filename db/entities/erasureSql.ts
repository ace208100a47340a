// An erasure names the live workspace, and is of its test workspace too. `workspaces` are SQL of ids: of one that may be a test workspace, its
// own and its live one's. Both conditions name what the index has: erasures that were not cancelled. One that has begun never is.

/** SQL: the erasure of a workspace was ordered and not cancelled. Nothing may begin there: its keys have ended, and its card pays nothing. */
export const isErasingSql = (...workspaces: string[]): string => exists(workspaces, '');

/** SQL: the erasure of a workspace has begun, or is done. Nothing may be stored of it any more, as nothing would delete that. */
export const isErasedSql = (...workspaces: string[]): string => exists(workspaces, ' and e.started_at is not null');

const exists = (workspaces: string[], condition: string): string =>
  `exists (select from erasures e where e.workspace_id in (${workspaces.join(', ')}) and e.cancelled_at is null${condition})`;
