import type { SchemaFault } from '../../base/jsonSchema.ts';
import { RETENTION_DAYS } from '../../base/limits.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { conflict, notFound, validationError, validationErrorAt } from '../../base/errors/requestErrors.ts';

/** Errors of existing runs; errors of orders are in orders/errors.ts. */

export const stepNotFound = (id: string, param: string | null = null) =>
  notFound(`The run has no step with the id '${id}'.`, 'step_not_found', param);

export const runAlreadyTerminal = (status: string) =>
  conflict('run_already_terminal', `The run has ended: it is ${status}.`);

export const runNotTerminal = (status: string) =>
  conflict('run_not_terminal', `The run has not ended: it is ${status}. Cancel it, and delete it when it has ended.`);

export const runNotWaiting = (status: string) =>
  conflict(
    'run_not_waiting',
    status === 'requires_action'
      ? 'The run already has its input and continues in a moment.'
      : `The run does not wait for input: it is ${status}.`,
  );

export const answerTooLate = () =>
  conflict('run_not_waiting', 'The time to answer is up (`expires_at`): the run ends.');

export const inputNotWanted = ({ type, message }: { type: string; message?: unknown }) =>
  conflict(
    'input_not_wanted',
    // A plugin's requirement is not supplied through the run.
    typeof message === 'string' ? message : `The run waits for input of the type "${type}". Send that.`,
  );

export const actionNotFound = (id: string) =>
  notFound(`The run does not wait for the step '${id}'.`, 'action_not_found');

export const actionAnswered = (id: string) =>
  conflict('action_already_answered', `The action of the step '${id}' already has another answer.`);

/** `place` is the answer among those sent. */
export const answerUnfit = (place: string[], faults: SchemaFault[]) =>
  validationError(
    faults.map(({ path, message }) => ({
      loc: ['body', ...place, ...path.map(String)],
      msg: message,
      type: 'value_error',
    })),
  );

export const eventExpired = () =>
  new ApiError({
    status: 410,
    code: 'event_expired',
    message: `The events after this one are past their retention of ${RETENTION_DAYS} days.`,
  });

export const nothingToCompare = () =>
  validationErrorAt(['query', 'with'], 'This run repeats no other one: name the run to compare it with.');
