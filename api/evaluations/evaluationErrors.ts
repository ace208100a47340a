import { conflict, notFound, validationErrorAt } from '../../base/errors/requestErrors.ts';

export const setNotFound = () =>
  notFound('This agent has no evaluation set. Store one with PUT.', 'evaluation_set_not_found');

export const setChanged = (revision: number) =>
  conflict('evaluation_set_changed', `The set has changed: it is at revision ${revision}. Read it again.`);

export const evaluationRunNotFound = (id: string, param: string | null = null) =>
  notFound(`No evaluation run with the id '${id}'.`, 'evaluation_run_not_found', param);

export const notLive = () =>
  notFound('No version of this agent is public. Name another version.', 'agent_version_not_found', 'version');

export const tooManyEvaluationRuns = (limit: number) =>
  conflict('too_many_evaluation_runs', `A workspace runs ${limit} evaluations at once. Wait for one, or cancel it.`);

export const unknownJudge = (at: number, checkAt: number, ids: string[]) =>
  validationErrorAt(
    ['body', 'cases', String(at), 'checks', String(checkAt), 'model'],
    `The model must be one of ${ids.join(', ')}, or null.`,
  );
