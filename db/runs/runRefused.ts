/** Why a run was not created. */
export type RunRefusal =
  // Its session, and the number of runs of its workspace.
  | { reason: 'session_not_found' | 'session_busy'; sessionId: string }
  | { reason: 'too_many_runs'; openRunsMax: number }
  /** The workspace's own rule lets so many runs begin in so many seconds; `retryMs`: until the next one may. */
  | { reason: 'rate_exceeded'; limit: number; periodSeconds: number; retryMs: number }
  // The repeated run.
  | { reason: 'run_not_found'; runId: string }
  | { reason: 'run_not_terminal'; status: string }
  /** `fileId`: a needed file that is no longer kept. */
  | { reason: 'content_deleted'; fileId?: string }
  /** `fromStepMax`: the last step from which it can be repeated. */
  | { reason: 'step_not_reusable'; fromStepMax: number }
  /** The reused steps were not billed: they cost more than the new run may, or would be sold below their cost. */
  | { reason: 'reused_steps_cost'; costNanos: bigint }
  | { reason: 'reused_steps_cheaper' }
  /** The run whose step placed the order; `budget_held`: others hold more than is left of its money, and return what they do not use. */
  | { reason: 'parent_over' | 'too_deep' | 'no_budget' | 'budget_held' };

/** Thrown when a run may not be created. Nothing was stored and nothing is held. */
export class RunRefused extends Error {
  override readonly name = 'RunRefused';
  readonly refusal: RunRefusal;

  constructor(refusal: RunRefusal) {
    super(`no run: ${refusal.reason}`);
    this.refusal = refusal;
  }
}
