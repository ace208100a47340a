import type { ApiError } from '../base/errors/apiError.ts';
import type { SchemaFault } from '../base/jsonSchema.ts';
import type { PluginNeed } from '../db/plugins/plugins.ts';
import type { StorageRefused } from '../db/files/upload.ts';
import type { RunRefusal } from '../db/runs/runRefused.ts';
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
  // The money.
  | { reason: 'unfunded'; error: ApiError }
  // The session, the number of runs, the repeated run, the run whose step placed the order.
  | RunRefusal;

/** Thrown when an order creates no run. Nothing is stored and nothing is held. */
export class OrderRefused extends Error {
  override readonly name = 'OrderRefused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`no run: ${refusal.reason}`);
    this.refusal = refusal;
  }
}
