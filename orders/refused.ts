import type { ApiError } from '../base/errors/apiError.ts';
import type { SchemaFault } from '../base/jsonSchema.ts';
import type { PluginNeed } from '../db/plugins/plugins.ts';
import type { StorageRefused } from '../db/files/upload.ts';
import type { Scope } from '../db/keys/scopes.ts';

/** A place in the order's body. */
export type Place = (string | number)[];

/** Why no run was made of an order, with what a text about it needs. The list is closed. */
export type Refusal =
  // Who orders.
  | { reason: 'scope_not_allowed'; scope: Scope }
  | { reason: 'agent_not_allowed'; agent: string; allowed: readonly string[] }
  // What is ordered.
  | { reason: 'agent_not_found'; agent: string; version: string | undefined }
  | { reason: 'agent_suspended' | 'model_unavailable' | 'quote_mismatch'; agent: string }
  | { reason: 'quote_not_found' | 'quote_expired'; quoteId: string }
  | { reason: 'cost_out_of_range'; minimumUsd: number; maximumUsd: number }
  | { reason: 'plugin_need_missing'; need: PluginNeed }
  | { reason: 'webhook_refused'; member: string; message: string }
  // Its input.
  | { reason: 'unsupported_input'; place: Place; message: string }
  | { reason: 'unfit_data'; place: Place; faults: SchemaFault[] }
  | { reason: 'file_not_found'; place: Place; fileId: string }
  | { reason: 'storage_refused'; refused: StorageRefused }
  // Its place, and the money for it.
  | { reason: 'session_not_found' | 'session_busy'; sessionId: string }
  | { reason: 'too_many_runs'; openRunsMax: number }
  | { reason: 'unfunded'; error: ApiError }
  // The run that it repeats.
  | { reason: 'run_not_found'; runId: string }
  | { reason: 'run_not_terminal'; status: string }
  | { reason: 'content_deleted'; fileId: string | undefined }
  | { reason: 'step_not_reusable'; fromStepMax: number }
  | { reason: 'reused_steps_cost'; costNanos: bigint }
  | { reason: 'reused_steps_cheaper' }
  // The run whose step orders it.
  | { reason: 'parent_over' | 'too_deep' | 'no_budget' };

/** Thrown where no run can be made of an order. Nothing was stored and nothing is held. */
export class OrderRefused extends Error {
  override readonly name = 'OrderRefused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`no run: ${refusal.reason}`);
    this.refusal = refusal;
  }
}
