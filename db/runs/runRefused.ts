/**
 * Why a run was not created: its session does not exist or is busy, the workspace has too many open runs or too many in a period by its
 * own rule, or the repeated run is unknown,
 * has not ended, lost its content, has no result to reuse, or has unbilled results that would be sold below their cost. For a child run:
 * its parent is over, too deep or has too little money; `budget_held`: others hold more of that than is left, and return what they do not
 * use.
 */
export type RunRefusalReason =
  | 'session_not_found'
  | 'session_busy'
  | 'too_many_runs'
  | 'rate_exceeded'
  | 'run_not_found'
  | 'run_not_terminal'
  | 'content_deleted'
  | 'step_not_reusable'
  | 'reused_steps_cost'
  | 'reused_steps_cheaper'
  | 'parent_over'
  | 'too_deep'
  | 'no_budget'
  | 'budget_held';

interface RunRefusalFacts {
  status?: string;
  /** A file that the run needs, but that is no longer kept. */
  fileId?: string;
  /** The last step from which the run can be repeated. */
  fromStepMax?: number;
  /** The cost of reused steps that were not billed before. */
  costNanos?: bigint;
  /** Of a rate: how many runs in how many seconds, and when the next one fits. */
  limit?: number;
  periodSeconds?: number;
  retryMs?: number;
}

/** Thrown when a run may not be created. Nothing was stored and nothing is held. */
export class RunRefused extends Error {
  readonly reason: RunRefusalReason;
  readonly facts: RunRefusalFacts;

  constructor(reason: RunRefusalReason, facts: RunRefusalFacts = {}) {
    super(`no run: ${reason}`);
    this.name = 'RunRefused';
    this.reason = reason;
    this.facts = facts;
  }
}
