import { ApiError } from '../../base/errors/apiError.ts';
import { conflict, notFound } from '../../base/errors/requestErrors.ts';

export const deploymentNotFound = (id: string) =>
  notFound(`No deployment with the id '${id}'.`, 'deployment_not_found');

/** For a publisher who withdraws a submission. */
export const trialsNotCovered = (neededUsd: string) =>
  new ApiError({
    status: 402,
    code: 'insufficient_balance',
    message:
      `A withdrawal bills the trials of the submission: ${neededUsd} USD, more than is free of the balance. ` +
      'Top up, or wait for the review.',
  });

export const reviewAlreadyDecided = (status: string) =>
  conflict('review_already_decided', `The review is over: the deployment is ${status}.`);
