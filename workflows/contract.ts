/** The task queue of the worker. */
export const TASK_QUEUE = 'ledgerline';

/** The name under which Temporal lists the versions of workers. */
export const WORKER_DEPLOYMENT = 'ledgerline';

/** The schedule, and the workflow that it starts. */
export const SWEEP_SCHEDULE_ID = 'sweep';
export const SWEEP_WORKFLOW = 'sweeper';

/** The schedule of the ledger's check, and the workflow that it starts. */
export const CHECK_SCHEDULE_ID = 'check-ledger';
export const CHECK_WORKFLOW = 'checkLedger';

/** The workflow of an automatic payment, one at a time for a workspace. */
export const AUTO_TOPUP_WORKFLOW = 'autoTopup';
export const autoTopupIdOf = (workspaceId: string): string => `autotopup/${workspaceId}`;

/** How an automatic payment ended. */
export type AutoTopupResult = { workspaceId: string; end: 'none' | 'paid' | 'processing' | 'declined' };

/** The workflow of one event for one endpoint, and the signal that it is to be delivered again. */
export const WEBHOOK_WORKFLOW = 'webhook';
export const DELIVER_AGAIN_SIGNAL = 'deliverAgain';
export type WebhookInput = { eventId: string; endpointId: string };
export const webhookIdOf = ({ eventId, endpointId }: WebhookInput): string => `webhook/${eventId}/${endpointId}`;

/** Requests to endpoints have a queue of their own, so that slow ones do not hold up runs. */
export const WEBHOOK_TASK_QUEUE = 'ledgerline-webhooks';

/** The workspace whose clock is moved. */
export type TestClockInput = { workspaceId: string };

/** The next time of a clock, in ISO 8601, with the schedules that fire then. */
export type ClockStep = { at: string; aheadSeconds: number; firings: string[] };

/** How long a delivery waits until its next attempt; null: there is none. */
export type WebhookStep = { delayMs: number | null };

/** The schedule that signs the ledger's daily roots, and the workflow that it starts. */
export const SIGN_SCHEDULE_ID = 'sign-days';
export const SIGN_WORKFLOW = 'signDays';

/** How many days were signed. */
export type SignResult = { days: number };

/** The schedule of erasures, and the workflow that it starts. */
export const ERASE_SCHEDULE_ID = 'erase-workspaces';
export const ERASE_WORKFLOW = 'eraseWorkspaces';

/** How many workspaces were erased, and how many could not be yet. */
export type EraseResult = { erased: number; waiting: number };

/** The schedule of the reconciliation with Stripe, and the workflow that it starts. */
export const RECONCILE_SCHEDULE_ID = 'reconcile-payments';
export const RECONCILE_WORKFLOW = 'reconcilePayments';

/** What a reconciliation read, and how many payments the events had missed. */
export type ReconcileResult = { read: number; credited: number };

/** The result of a check without violations. */
export type LedgerCheckResult = { entries: number; transactions: number };

/** What one sweep ended for dead processes. */
export type SweepResult = {
  processesReaped: number;
  requestsSettled: number;
  holdsReleased: number;
  /** Whether automatic payments are made. Sweeps without this member always look for them. */
  takesPayments?: boolean;
};

/** The workflow of one run. Its workflow id is the run's id; cancelling the workflow cancels the run. */
export const RUN_WORKFLOW = 'run';

/**
 * Everything else is read by the run's id, so that input and output stay out of the history. `waitMs`: the wait of a run whose clock may be
 * moved, because no signal ends a delay of Temporal's own.
 */
export type RunInput = { runId: string; waitMs?: number };

/** The answer to a run's required action is in its row; this signal wakes the workflow to read it. */
export const RESUME_RUN_SIGNAL = 'resumeRun';

/** The live state of a run, as its workflow sees it. */
export const RUN_STATE_QUERY = 'runState';

/** Search attributes of run workflows, by name: operators filter runs by them. All are registered at start-up. */
export const RUN_SEARCH_ATTRIBUTES = {
  workspace: 'LedgerlineWorkspace',
  agent: 'LedgerlineAgent',
  version: 'LedgerlineVersion',
  status: 'LedgerlineStatus',
  keyPrefix: 'LedgerlineKeyPrefix',
  costUsd: 'LedgerlineCostUsd',
} as const;

/** Tools that run code have a queue of their own: a worker whose sandbox failed its tests does not take from it. */
export const TOOL_TASK_QUEUE = 'ledgerline-tools';

// Limits of runs: the workflow enforces them and the database reports them to callers.

/** How often a run may call its model. It also bounds the workflow's history, far below the length that needs continue-as-new. */
export const MODEL_STEPS_MAX = 32;

/** How long a caller may take to answer a run's question. */
export const ANSWER_LIMIT_MS = 24 * 3_600_000;

/** How long a tool may continue after a graceful cancellation. */
export const CANCEL_GRACE_MS = 30_000;

/** An event of a run as stored in the history: without its content. `at` is ISO 8601; `facts` are the values that no row repeats. */
export type EventHead = { type: string; sequence: number; at: string; facts?: object };

/** The result of a run. Costs are nano-USD, as decimal text. */
export type RunResult = {
  status: 'completed' | 'limit_reached' | 'cancelled' | 'failed';
  /** Thousandths of units by meter. */
  meters: Record<string, number>;
  subtotalNanos: string;
  networkFeeNanos: string;
  totalNanos: string;
  absorbedNanos: string;
  /** Why it failed. */
  code?: string;
  events: EventHead[];
};

/** What the query returns while a run is in progress. */
export type RunState = { doing: string; step: number; modelSteps: number };

/** The workflow of one review. */
export const REVIEW_WORKFLOW = 'review';
export type ReviewInput = {
  deploymentId: string;
  /** It was published without a review, as the platform's own agents are: its examples are tried, and nothing is decided. */
  isPublished?: boolean;
  /** It is approved: only its rollout goes on. */
  isRollingOut?: boolean;
};
/** The workflow id of a deployment's review: one for each deployment. */
export const reviewWorkflowId = (deploymentId: string): string => `review/${deploymentId}`;
/** The id of the deployment that a review's workflow belongs to. */
export const deploymentIdOf = (workflowId: string): string => workflowId.slice('review/'.length);

/** Decides or withdraws a review. Returns the deployment's state; a review that was decided before is unchanged. */
export const DECIDE_REVIEW_UPDATE = 'decideReview';
export type ReviewDecision = {
  move: 'approve' | 'request_changes' | 'reject' | 'withdraw';
  /** Of an approval: the share of new sessions that get the version at first. */
  rolloutPercentage?: number;
  /** Its steps instead. */
  rolloutSteps?: { percentage: number; runsMin: number; hoursMin: number }[];
  feedback: {
    source: 'operator';
    severity: 'blocking' | 'advisory';
    code: string;
    path: string;
    message: string;
  }[];
  by: { publisher: string; requestId: string } | { operatorKeyId: string; operatorUserId?: string; requestId: string };
};
export type ReviewDecisionResult =
  | { outcome: 'moved' | 'wrong_state'; status: string }
  | { outcome: 'not_found' }
  | { outcome: 'short'; neededNanos: string };

/** The result of a review, and the cost of its automatic checks. */
export type ReviewResult = { status: string; findings: number; costUsd: number };

/** Options that start a review's workflow, always the same: a second start finds the first. */
export function reviewStartOf(
  deploymentId: string,
  submission: {
    agent: string;
    version: string;
    publisherWorkspaceId: string;
    status: string;
    rolloutState: string | null;
  },
  consoleUrl: string | undefined,
) {
  const { agent, version, publisherWorkspaceId, status, rolloutState } = submission;
  const isRollingOut = status === 'active' && (rolloutState === 'scheduled' || rolloutState === 'rolling');
  const isPublished = status === 'active' && !isRollingOut;
  const input: ReviewInput = {
    deploymentId,
    ...(isPublished && { isPublished }),
    ...(isRollingOut && { isRollingOut }),
  };
  return {
    workflowId: reviewWorkflowId(deploymentId),
    taskQueue: TASK_QUEUE,
    args: [input] as [ReviewInput],
    // A workflow that an operator ended in Temporal's UI starts again while its row waits for a decision.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    staticSummary: `Review of ${agent} (${version})`,
    staticDetails: `Automatic checks, then a decision: approve, request changes or reject ${deploymentId} over /console/v1.${linkTo(consoleUrl, `/operate/reviews/${deploymentId}`)}`,
    typedSearchAttributes: [
      keyword(RUN_SEARCH_ATTRIBUTES.workspace, publisherWorkspaceId),
      keyword(RUN_SEARCH_ATTRIBUTES.agent, agent),
      keyword(RUN_SEARCH_ATTRIBUTES.version, version),
      keyword(RUN_SEARCH_ATTRIBUTES.status, status),
    ],
  };
}

/** A link of a workflow's details to its page in the console, whose address a worker may not know. */
const linkTo = (consoleUrl: string | undefined, path: string): string =>
  consoleUrl === undefined ? '' : `\n\n[In the console](${consoleUrl}${path})`;

/** The workspace of a workflow, by which operators filter. */
export const workspaceAttribute = (workspaceId: string) => keyword(RUN_SEARCH_ATTRIBUTES.workspace, workspaceId);

/** A search attribute of a workflow. */
export const keyword = (name: string, value: string) => ({ key: { name, type: 'KEYWORD' as const }, value });

/** Options that start a run's workflow, always the same: a second start finds the first. */
export function runStartOf(
  run: {
    id: string;
    workspace_id: string;
    session_id: string;
    agent: string;
    version: string;
    status: string;
    timeout_seconds: number;
  },
  {
    keyPrefix,
    delayMs,
    isTest,
    consoleUrl,
  }: { keyPrefix: string; delayMs: number; isTest?: boolean; consoleUrl?: string },
) {
  const isDelayed = delayMs > 0;
  const input: RunInput = { runId: run.id, ...(isDelayed && isTest && { waitMs: delayMs }) };
  return {
    workflowId: run.id,
    taskQueue: TASK_QUEUE,
    args: [input],
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    ...(isDelayed && !isTest && { startDelay: delayMs }),
    staticSummary: `${run.agent} (${run.version})`,
    staticDetails: `Session ${run.session_id}, at most ${run.timeout_seconds} s of work.${linkTo(consoleUrl, `/runs/${run.id}`)}`,
    typedSearchAttributes: [
      keyword(RUN_SEARCH_ATTRIBUTES.workspace, run.workspace_id),
      keyword(RUN_SEARCH_ATTRIBUTES.agent, run.agent),
      keyword(RUN_SEARCH_ATTRIBUTES.version, run.version),
      // A run without a delay begins at once: setting it here saves each workflow an update of its attributes.
      keyword(RUN_SEARCH_ATTRIBUTES.status, isDelayed ? run.status : 'in_progress'),
      keyword(RUN_SEARCH_ATTRIBUTES.keyPrefix, keyPrefix),
    ],
  };
}

/** The workflow of a part of a sign-in to a plugin. */
export const PLUGIN_SIGN_IN_WORKFLOW = 'pluginSignIn';
export type PluginSignInInput =
  { part: 'begin' | 'finish'; attemptId: string } | { part: 'revoke'; workspaceId: string; pluginId: string };

/** Options that start a part of a sign-in of a workspace: one at a time. */
export const pluginSignInStartOf = (input: PluginSignInInput, workspaceId: string) => ({
  workflowId: `plugin-sign-in/${input.part === 'revoke' ? `${input.workspaceId}/${input.pluginId}` : input.attemptId}/${input.part}`,
  taskQueue: TASK_QUEUE,
  args: [input] as [PluginSignInInput],
  workflowIdConflictPolicy: 'USE_EXISTING' as const,
  staticSummary: `Sign-in to a plugin: ${input.part}`,
  typedSearchAttributes: [workspaceAttribute(workspaceId)],
});

/** The workflow of a batch, and its id. Its activities have a queue of their own, so that they take no place from runs. */
export const BATCH_WORKFLOW = 'batch';
export const BATCH_TASK_QUEUE = 'ledgerline-batches';
export const batchWorkflowId = (batchId: string): string => `batch/${batchId}`;

/** A place in a batch's file: the number of a line, from 1, and where it begins. */
export type BatchPlace = { line: number; offsetBytes: number };

/** `next`: where the lines that have not run begin; without it the file is checked first. */
export type BatchInput = { batchId: string; next?: BatchPlace };

/** How a batch ended. Lines are counted in its row. */
export type BatchResult = { status: string };

/** Options that start a batch's workflow, always the same: a second start finds the first, and one that was terminated continues. */
export function batchStartOf({ id, workspaceId }: { id: string; workspaceId: string }, consoleUrl?: string) {
  return {
    workflowId: batchWorkflowId(id),
    taskQueue: TASK_QUEUE,
    args: [{ batchId: id }] as [BatchInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    staticSummary: `Batch ${id}`,
    staticDetails: `Checks the file, runs its lines in windows, writes the files of results.${linkTo(consoleUrl, `/batches/${id}`)}`,
    typedSearchAttributes: [workspaceAttribute(workspaceId)],
  };
}
