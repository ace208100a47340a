import { RETENTION_DAYS } from '../../base/limits.ts';
import { usdOf } from '../../db/money.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { conflict, notFound, validationError } from '../../base/errors/requestErrors.ts';
import { retryIn } from '../../base/errors/limitErrors.ts';

/** Errors for missing runs and related resources. */

export const agentNotFound = (agent: string, version: string | undefined) =>
  notFound(
    `No agent '${agent}'${version === undefined ? '' : ` with the version '${version}'`} is available to this workspace.`,
    'agent_not_found',
  );

export const agentNotAllowed = (agent: string, allowed: readonly string[]) =>
  new ApiError({
    status: 403,
    code: 'agent_not_allowed',
    message: `This key does not run the agent '${agent}'. It runs: ${allowed.join(', ')}.`,
  });

export const agentSuspended = (agent: string) =>
  conflict(
    'agent_suspended',
    `The agent '${agent}' is suspended: it cannot be run until it is reinstated. Choose another agent.`,
  );

export const modelUnavailable = (agent: string) =>
  conflict(
    'model_unavailable',
    `The model of this version of '${agent}' is no longer offered. Run another version, or choose another agent.`,
  );

export const runNotFound = (id: string) => notFound(`No run with the id '${id}'.`, 'run_not_found');

export const stepNotFound = (id: string) => notFound(`The run has no step with the id '${id}'.`, 'step_not_found');

export const sessionNotFound = (id: string) => notFound(`No session with the id '${id}'.`, 'session_not_found');

export const sessionBusy = (id: string) =>
  conflict(
    'session_busy',
    `The session '${id}' has a run that has not ended. Wait for it, or send "if_session_busy": "enqueue" or "interrupt".`,
  );

export const runAlreadyTerminal = (status: string) =>
  conflict('run_already_terminal', `The run has ended: it is ${status}.`);

export const runNotTerminal = (status: string) =>
  conflict('run_not_terminal', `The run has not ended: it is ${status}. Cancel it, and delete it when it has ended.`);

export const runNotEnded = (status: string) =>
  conflict('run_not_terminal', `The run has not ended: it is ${status}. Run it again when it has ended.`);

export const runNotWaiting = (status: string) =>
  conflict(
    'run_not_waiting',
    status === 'requires_action'
      ? 'The run already has its input and continues in a moment.'
      : `The run does not wait for input: it is ${status}.`,
  );

export const inputNotWanted = ({ type, message }: { type: string; message?: unknown }) =>
  conflict(
    'input_not_wanted',
    // What a plugin needs is not sent to its run.
    typeof message === 'string' ? message : `The run waits for input of the type "${type}". Send that.`,
  );

/** Input that the agent does not support, with its place in the body. */
export const unsupportedInput = (place: (string | number)[], msg: string) =>
  validationError([{ loc: ['body', ...place.map(String)], msg, type: 'value_error' }], 'unsupported_input');

export const invalidCost = (msg: string) =>
  validationError([{ loc: ['body', 'max_cost_usd'], msg, type: 'value_error' }]);

export const fileNotFound = (place: (string | number)[], fileId: string) =>
  new ApiError({
    status: 404,
    code: 'file_not_found',
    param: place.join('.'),
    message: `No file with the id '${fileId}'.`,
  });

export const eventExpired = () =>
  new ApiError({
    status: 410,
    code: 'event_expired',
    message: `The events after this one are past their retention of ${RETENTION_DAYS} days.`,
  });

export const quoteNotFound = (id: string) => notFound(`No quote with the id '${id}'.`, 'quote_not_found');

export const quoteExpired = (id: string) =>
  conflict('quote_expired', `The quote '${id}' has expired. Ask for a new one, or start the run without a quote.`);

export const quoteMismatch = (agent: string) =>
  conflict('quote_mismatch', `The quote is for another order: for the agent '${agent}', its version and deployment.`);

export const contentDeleted = (fileId?: string) =>
  new ApiError({
    status: 410,
    code: 'content_deleted',
    message:
      fileId === undefined
        ? `The run’s content or its session was deleted (content is kept for ${RETENTION_DAYS} days): it cannot be run again. Start a new run.`
        : `The file '${fileId}', which the run used before this step, was deleted: start a new run, or run it again with another input.`,
  });

export const stepNotReusable = (fromStepMax: number) =>
  validationError([
    {
      loc: ['body', 'from_step'],
      msg: `The run can be run again from the steps 1 to ${fromStepMax}: the next one has no result that a step may follow.`,
      type: 'value_error',
    },
  ]);

export const unbilledStepsCost = (nanos: bigint) =>
  invalidCost(
    `The steps that this run reuses cost ${usdOf(nanos)} US dollars, because the run that it repeats was not billed. Send a higher max_cost_usd or a lower from_step.`,
  );

export const unbilledStepsCheaper = () =>
  validationError([
    {
      loc: ['body', 'version'],
      msg: 'The repeated run was not billed, and its steps would cost less with this version. Use its own version, or start from step 1.',
      type: 'value_error',
    },
  ]);

export const nothingToCompare = () =>
  validationError([
    {
      loc: ['query', 'with'],
      msg: 'This run repeats no other one: name the run to compare it with.',
      type: 'value_error',
    },
  ]);

export const tooManyRuns = (limit: number) =>
  new ApiError({
    status: 429,
    code: 'too_many_runs',
    message: `The workspace may have ${limit} runs open at once. Try again when one of them has ended, or cancel one.`,
    headers: retryIn(5000),
  });
