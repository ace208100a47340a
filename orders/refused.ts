import type { ApiError } from '../base/errors/apiError.ts';
import type { SchemaFault } from '../base/jsonSchema.ts';
import type { PluginNeed } from '../db/plugins/plugins.ts';
import type { StorageRefused } from '../db/files/upload.ts';
import type { Scope } from '../db/keys/scopes.ts';

/** A place in the order's body. */
export type Place = (string | number)[];

/** Why an order created no run, with the values for its text. The list is closed. */
export type Refusal =
  // The orderer.
  | { reason: 'scope_not_allowed'; scope: Scope }
  | { reason: 'agent_not_allowed'; agent: string; allowed: readonly string[] }
  // The ordered agent.
  | { reason: 'agent_not_found'; agent: string; version: string | undefined }
  | { reason: 'agent_taken_down'; agent: string; message: string }
  | { reason: 'agent_retired'; agent: string; sunsetAt: string; successor: string | null; message: string | null }
  | { reason: 'agent_suspended' | 'model_unavailable' | 'quote_mismatch'; agent: string }
  | { reason: 'quote_not_found' | 'quote_expired'; quoteId: string }
  | { reason: 'cost_out_of_range'; minimumUsd: number; maximumUsd: number }
  | { reason: 'plugin_need_missing'; need: PluginNeed }
  | { reason: 'webhook_refused'; member: string; message: string }
  // The input.
  | { reason: 'unsupported_input'; place: Place; message: string }
  | { reason: 'unfit_data'; place: Place; faults: SchemaFault[] }
  | { reason: 'file_not_found'; place: Place; fileId: string }
  | { reason: 'storage_refused'; refused: StorageRefused }
  // The session, and the money.
  | { reason: 'session_not_found' | 'session_busy'; sessionId: string }
  | { reason: 'too_many_runs'; openRunsMax: number }
  | { reason: 'rate_exceeded'; limit: number; periodSeconds: number; retryMs: number }
  | { reason: 'unfunded'; error: ApiError }
  // The repeated run.
  | { reason: 'run_not_found'; runId: string }
  | { reason: 'run_not_terminal'; status: string }
  | { reason: 'content_deleted'; fileId: string | undefined }
  | { reason: 'step_not_reusable'; fromStepMax: number }
  | { reason: 'reused_steps_cost'; costNanos: bigint }
  | { reason: 'reused_steps_cheaper' }
  // The run whose step placed the order.
  | { reason: 'parent_over' | 'too_deep' | 'no_budget' | 'budget_held' };

/** Thrown when an order creates no run. Nothing is stored and nothing is held. */
export class OrderRefused extends Error {
  override readonly name = 'OrderRefused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`no run: ${refusal.reason}`);
    this.refusal = refusal;
  }
}
