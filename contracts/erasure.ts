/** The schedule of erasures, and the workflow that it starts. */
export const ERASE_SCHEDULE_ID = 'erase-workspaces';
export const ERASE_WORKFLOW = 'eraseWorkspaces';

/** The number of erased workspaces, and of those that could not be erased yet. */
export type EraseResult = { erased: number; waiting: number };
