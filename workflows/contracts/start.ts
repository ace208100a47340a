/** The task queue of the worker. */
export const TASK_QUEUE = 'ledgerline';

/** The name under which Temporal lists the versions of workers. */
export const WORKER_DEPLOYMENT = 'ledgerline';

/** Search attributes of run workflows, by name: operators filter runs by them. All are registered at start-up. */
export const RUN_SEARCH_ATTRIBUTES = {
  workspace: 'LedgerlineWorkspace',
  agent: 'LedgerlineAgent',
  version: 'LedgerlineVersion',
  status: 'LedgerlineStatus',
  keyPrefix: 'LedgerlineKeyPrefix',
  costUsd: 'LedgerlineCostUsd',
} as const;

/** The workspace of a workflow, by which operators filter. */
export const workspaceAttribute = (workspaceId: string) => keyword(RUN_SEARCH_ATTRIBUTES.workspace, workspaceId);

/** A search attribute of a workflow. */
export const keyword = (name: string, value: string) => ({ key: { name, type: 'KEYWORD' as const }, value });

/** A link of a workflow's details to its page in the console, whose address a worker may not know. */
export const linkTo = (consoleUrl: string | undefined, path: string): string =>
  consoleUrl === undefined ? '' : `\n\n[In the console](${consoleUrl}${path})`;
