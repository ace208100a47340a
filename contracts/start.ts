/** The task queue of the worker. */
export const TASK_QUEUE = 'ledgerline';

/** Starts one workflow of an id at a time: a second start finds the open one. */
export const ONE_AT_A_TIME = { taskQueue: TASK_QUEUE, workflowIdConflictPolicy: 'USE_EXISTING' } as const;

/** Starts one workflow of an id: once it has completed, a second start is refused. One that failed or was terminated starts again. */
export const ONCE = { ...ONE_AT_A_TIME, workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' } as const;

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
  /** Of a failed run, at its end. */
  errorCode: 'LedgerlineErrorCode',
  fault: 'LedgerlineFault',
  /** The run whose agent started this one. */
  parent: 'LedgerlineParentRun',
  schedule: 'LedgerlineSchedule',
} as const;

/** The workspace of a workflow, for the operators' filters. */
export const workspaceAttribute = (workspaceId: string) => keyword(RUN_SEARCH_ATTRIBUTES.workspace, workspaceId);

/**
 * Whose share of the workers a workflow takes, where the server knows fairness: workspaces get equal ones. Its activities inherit it.
 */
export const shareOf = (workspaceId: string) => ({ fairnessKey: workspaceId });

/** A search attribute of a workflow. */
export const keyword = (name: string, value: string) => ({ key: { name, type: 'KEYWORD' as const }, value });

/** A link from a workflow's details to its page in the console. The worker may not know the console's address. */
export const linkTo = (consoleUrl: string | undefined, path: string): string =>
  consoleUrl === undefined ? '' : `\n\n[In the console](${consoleUrl}${path})`;
