import { expect, test } from '@jest/globals';
import { ApiError } from '../../base/errors/apiError.ts';
import { StorageRefused } from '../../db/files/upload.ts';
import { errorOf } from '../../orders/errors.ts';
import type { Refusal } from '../../orders/refused.ts';

const agent = 'acme/writer';
const unfunded = new ApiError({ status: 402, code: 'insufficient_balance', message: 'Top up.' });

const REFUSALS: [Refusal, number, string][] = [
  [{ reason: 'scope_not_allowed', scope: 'agents' }, 403, 'scope_not_allowed'],
  [{ reason: 'agent_not_allowed', agent, allowed: ['acme/reader'] }, 403, 'agent_not_allowed'],
  [{ reason: 'agent_not_found', agent, version: undefined }, 404, 'agent_not_found'],
  [{ reason: 'agent_suspended', agent }, 409, 'agent_suspended'],
  [{ reason: 'model_unavailable', agent }, 409, 'model_unavailable'],
  [{ reason: 'quote_not_found', quoteId: 'quote_1' }, 404, 'quote_not_found'],
  [{ reason: 'quote_expired', quoteId: 'quote_1' }, 409, 'quote_expired'],
  [{ reason: 'quote_mismatch', agent }, 409, 'quote_mismatch'],
  [{ reason: 'cost_out_of_range', minimumUsd: 1, maximumUsd: 2 }, 422, 'validation_error'],
  [
    { reason: 'plugin_need_missing', need: { type: 'plugin_sign_in', plugin: 'plug_1', version: '1' } },
    422,
    'plugin_sign_in_missing',
  ],
  [{ reason: 'webhook_refused', member: 'webhook_url', message: 'No.' }, 422, 'validation_error'],
  [{ reason: 'unsupported_input', place: ['input', 0], message: 'No.' }, 422, 'unsupported_input'],
  [{ reason: 'unfit_data', place: ['input', 0], faults: [{ path: ['a'], message: 'No.' }] }, 422, 'validation_error'],
  [{ reason: 'file_not_found', place: ['input', 0], fileId: 'file_1' }, 404, 'file_not_found'],
  [
    { reason: 'storage_refused', refused: new StorageRefused('storage_limit_exceeded', 'Full.') },
    413,
    'storage_limit_exceeded',
  ],
  [{ reason: 'session_not_found', sessionId: 'ses_1' }, 404, 'session_not_found'],
  [{ reason: 'session_busy', sessionId: 'ses_1' }, 409, 'session_busy'],
  [{ reason: 'too_many_runs', openRunsMax: 3 }, 429, 'too_many_runs'],
  [{ reason: 'unfunded', error: unfunded }, 402, 'insufficient_balance'],
  [{ reason: 'run_not_found', runId: 'run_1' }, 404, 'run_not_found'],
  [{ reason: 'run_not_terminal', status: 'queued' }, 409, 'run_not_terminal'],
  [{ reason: 'content_deleted' }, 410, 'content_deleted'],
  [{ reason: 'step_not_reusable', fromStepMax: 2 }, 422, 'validation_error'],
  [{ reason: 'reused_steps_cost', costNanos: 5n }, 422, 'validation_error'],
  [{ reason: 'reused_steps_cheaper' }, 422, 'validation_error'],
];

// Schedules record refusals, and retry 500 and above: no refusal is one.
test.each(REFUSALS.map(([refusal, ...answer]) => [refusal.reason, ...answer, refusal] as const))(
  'the refusal %s is answered with %i %s',
  (_reason, status, code, refusal) => {
    expect(errorOf(refusal)).toMatchObject({ status, code });
  },
);

test.each(['parent_over', 'too_deep', 'no_budget', 'budget_held'] as const)(
  'the refusal %s of a step has no status',
  (reason) => {
    expect(() => errorOf({ reason })).toThrow('only a step of a run is refused so');
  },
);
