/** The schedule of erasures, and the workflow that it starts. */
export const ERASE_SCHEDULE_ID = 'erase-workspaces';
export const ERASE_WORKFLOW = 'eraseWorkspaces';

/** How many workspaces were erased, and how many could not be yet. */
export type EraseResult = { erased: number; waiting: number };
