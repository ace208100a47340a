import assert from 'node:assert/strict';
import { ApiError } from '../base/errors/apiError.ts';
import { scopeNotAllowed } from '../base/errors/keyErrors.ts';
import { retryIn } from '../base/errors/limitErrors.ts';
import { conflict, notFound, validationError } from '../base/errors/requestErrors.ts';
import { storageError } from '../base/errors/storageErrors.ts';
import { RETENTION_DAYS } from '../base/limits.ts';
import type { PluginNeed } from '../db/plugins/plugins.ts';
import { usdOf } from '../db/money.ts';
import { retiredText } from './endedAgent.ts';
import type { Place, Refusal } from './refused.ts';

type Reason = Refusal['reason'];
type Among<One, R> = One extends { reason: infer Reasons } ? (R extends Reasons ? One : never) : never;

/** The status, code and text of a refusal: for a caller's answer, and for a schedule's record. */
export const errorOf = (refusal: Refusal): ApiError =>
  (ERRORS[refusal.reason] as (facts: Refusal) => ApiError)(refusal);

export const agentNotFound = (agent: string, version: string | undefined, param: string | null = null) =>
  notFound(
    `No agent '${agent}'${version === undefined ? '' : ` with the version '${version}'`} is available to this workspace.`,
    'agent_not_found',
    param,
  );

export const sessionNotFound = (id: string, param: string | null = null) =>
  notFound(`No session with the id '${id}'.`, 'session_not_found', param);

export const runNotFound = (id: string) => notFound(`No run with the id '${id}'.`, 'run_not_found');

export const scheduleNotFound = (id: string) => notFound(`No schedule with the id '${id}'.`, 'schedule_not_found');

export const runNotEnded = (status: string) =>
  conflict('run_not_terminal', `The run has not ended: it is ${status}. Run it again when it has ended.`);

export const contentDeleted = (fileId?: string) =>
  new ApiError({
    status: 410,
    code: 'content_deleted',
    message:
      fileId === undefined
        ? `The run’s content or its session was deleted (content is kept for ${RETENTION_DAYS} days): it cannot be ` +
          'run again. Start a new run.'
        : `The file '${fileId}', which the run used before this step, was deleted: start a new run, or run it again with another input.`,
  });

export const invalidCost = (msg: string) => invalid(['max_cost_usd'], msg);

const invalid = (place: Place, msg: string, code?: string) =>
  validationError([{ loc: ['body', ...place.map(String)], msg, type: 'value_error' }], code);

/** A plugin requirement of a run that cannot wait for its caller. */
function pluginNeedMissing({ type, plugin, secret }: PluginNeed): ApiError {
  const way =
    type === 'plugin_secret'
      ? `your secret ${secret}. Set it with PUT /v1/plugins/${plugin}/secrets, by a key of the scope manage.`
      : `you to sign in. GET /v1/plugins/${plugin}/sign-in has the address.`;
  return invalid(['agent'], `This agent uses the plugin ${plugin}, which needs ${way}`, `${type}_missing`);
}

/** The header `Link` to the agent that replaces another one. */
export const successorLink = (successor: string): string => `</v1/agents/${successor}>; rel="successor-version"`;

// Only the steps of a run are refused this way: their model reads the reason, not a caller or schedule.
const ofChild = (): never => assert.fail('only a step of a run is refused so');

const ERRORS: { [R in Reason]: (facts: Among<Refusal, R>) => ApiError } = {
  scope_not_allowed: ({ scope }) => scopeNotAllowed(scope),
  agent_not_allowed: ({ agent, allowed }) =>
    new ApiError({
      status: 403,
      code: 'agent_not_allowed',
      message: `This key does not run the agent '${agent}'. It runs: ${allowed.join(', ')}.`,
    }),
  agent_not_found: ({ agent, version }) => agentNotFound(agent, version, 'agent'),
  agent_suspended: ({ agent }) =>
    conflict(
      'agent_suspended',
      `The agent '${agent}' is suspended: it cannot be run until it is reinstated. Choose another agent.`,
    ),
  agent_taken_down: ({ agent, message }) =>
    conflict('agent_taken_down', `The agent '${agent}' was taken down by its publisher: ${message}`),
  agent_retired: (facts) =>
    conflict('agent_retired', retiredText(facts), {
      sunset: new Date(facts.sunsetAt).toUTCString(),
      ...(facts.successor !== null && { link: successorLink(facts.successor) }),
    }),
  model_unavailable: ({ agent }) =>
    conflict(
      'model_unavailable',
      `The model of this version of '${agent}' is no longer offered. Run another version, or choose another agent.`,
    ),
  quote_not_found: ({ quoteId }) => notFound(`No quote with the id '${quoteId}'.`, 'quote_not_found', 'quote_id'),
  quote_expired: ({ quoteId }) =>
    conflict(
      'quote_expired',
      `The quote '${quoteId}' has expired. Ask for a new one, or start the run without a quote.`,
    ),
  quote_mismatch: ({ agent }) =>
    conflict('quote_mismatch', `The quote is for another order: for the agent '${agent}', its version and deployment.`),
  cost_out_of_range: ({ minimumUsd, maximumUsd }) =>
    invalidCost(`This agent costs from ${minimumUsd} to ${maximumUsd} US dollars a run.`),
  plugin_need_missing: ({ need }) => pluginNeedMissing(need),
  webhook_refused: ({ member, message }) => invalid([member], message),
  unsupported_input: ({ place, message }) => invalid(place, message, 'unsupported_input'),
  unfit_data: ({ place, faults }) =>
    validationError(
      faults.map(({ path, message }) => ({
        loc: ['body', ...place, ...path].map(String),
        msg: message,
        type: 'value_error',
      })),
    ),
  file_not_found: ({ place, fileId }) =>
    new ApiError({
      status: 404,
      code: 'file_not_found',
      param: place.join('.'),
      message: `No file with the id '${fileId}'.`,
    }),
  storage_refused: ({ refused }) => storageError(refused),
  session_not_found: ({ sessionId }) => sessionNotFound(sessionId, 'session_id'),
  session_busy: ({ sessionId }) =>
    conflict(
      'session_busy',
      `The session '${sessionId}' has a run that has not ended. Wait for it, or send "if_session_busy": "enqueue" or "interrupt".`,
    ),
  too_many_runs: ({ openRunsMax }) =>
    new ApiError({
      status: 429,
      code: 'too_many_runs',
      message: `The workspace may have ${openRunsMax} runs open at once. Try again when one of them has ended, or cancel one.`,
      headers: retryIn(5000),
    }),
  rate_exceeded: ({ limit, periodSeconds, retryMs }) =>
    new ApiError({
      status: 429,
      code: 'run_rate_exceeded',
      message:
        `Rate limit reached for runs of this agent: Limit ${limit} in ${periodSeconds} s, by a flow rule of the workspace. ` +
        `Please try again in ${Math.ceil(retryMs / 1000)}s.`,
      headers: retryIn(retryMs),
    }),
  unfunded: ({ error }) => error,
  run_not_found: ({ runId }) => runNotFound(runId),
  run_not_terminal: ({ status }) => runNotEnded(status),
  content_deleted: ({ fileId }) => contentDeleted(fileId),
  step_not_reusable: ({ fromStepMax }) =>
    invalid(
      ['from_step'],
      `The run can be run again from the steps 1 to ${fromStepMax}: the next one has no result that a step may follow.`,
    ),
  reused_steps_cost: ({ costNanos }) =>
    invalidCost(
      `The steps that this run reuses cost ${usdOf(costNanos)} US dollars, because the run that it repeats was ` +
        'not billed. Send a higher max_cost_usd or a lower from_step.',
    ),
  reused_steps_cheaper: () =>
    invalid(
      ['version'],
      'The repeated run was not billed, and its steps would cost less with this version. Use its own version, or start from step 1.',
    ),
  parent_over: ofChild,
  too_deep: ofChild,
  no_budget: ofChild,
  budget_held: ofChild,
};
