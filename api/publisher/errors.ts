import type { Finding } from '../../db/agents/configuration.ts';
import { SUBMISSION_HOURS } from '../../base/limits.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { retryIn } from '../../base/errors/limitErrors.ts';
import { conflict, notFound, validationError, validationErrorAt } from '../../base/errors/requestErrors.ts';

export const agentNotFound = (id: string, param: string | null = null) =>
  notFound(`No agent with the id '${id}'.`, 'agent_not_found', param);
export const versionNotFound = (id: string, param: string | null = null) =>
  notFound(`No agent version with the id '${id}'.`, 'agent_version_not_found', param);

export const ifMatchRequired = () =>
  new ApiError({
    status: 428,
    code: 'if_match_required',
    param: 'If-Match',
    message: 'Send the ETag of the draft that you have seen as If-Match: "draft-<revision>".',
  });

export const ifMatchMalformed = () =>
  validationErrorAt(
    ['header', 'If-Match'],
    'If-Match must be the ETag of a draft: "draft-" and a positive number without leading zero, in double quotes.',
  );

export const draftRevisionMismatch = (revision: number) =>
  new ApiError({
    status: 412,
    code: 'draft_revision_mismatch',
    param: 'If-Match',
    message: `The draft has changed since: it is at revision ${revision}. Read it again before you send another change.`,
    headers: { etag: `"draft-${revision}"` },
  });

export const namespaceTaken = (namespace: string) =>
  conflict('namespace_taken', `The namespace '${namespace}' belongs to another workspace. Choose another one.`);

export const agentExists = (name: string) => conflict('agent_exists', `There is already an agent '${name}'.`);

export const submissionInReview = () =>
  conflict('submission_in_review', 'A submission of this agent is in review. Withdraw it, or wait for its outcome.');

export const tooManySubmissions = (limit: number) =>
  new ApiError({
    status: 429,
    code: 'too_many_submissions',
    message:
      `The agents of a workspace may be submitted ${limit} times in ${SUBMISSION_HOURS} hours. Try again when ` +
      'the first of these is older than that.',
    headers: { ...retryIn(3_600_000), 'x-should-retry': 'false' },
  });

export const tooManyNamespaces = (limit: number) =>
  conflict(
    'too_many_namespaces',
    `A workspace may have ${limit} namespaces that no operator has verified. Use one of them, or have one verified.`,
  );

export const reservedName = (name: string) =>
  validationError(
    [
      {
        loc: ['body', 'namespace'],
        msg: `The name '${name}' is reserved, or reads like one that is. Choose another one.`,
        type: 'value_error',
      },
    ],
    'name_reserved',
  );

export const unknownModel = (ids: string[]) =>
  validationError([
    { loc: ['body', 'model'], msg: `The model must be one of ${ids.join(', ')}, or null.`, type: 'value_error' },
  ]);

export const deploymentState = (status: string) =>
  conflict('deployment_state', `This can't be done with a deployment that is ${status}.`);

export const versionNotApproved = (id: string) =>
  conflict(
    'version_not_approved',
    `The version '${id}' is not approved: submit it for review, or wait until its review ends.`,
  );

export const versionDearer = () =>
  conflict(
    'version_dearer',
    'This version costs more than the public one. Submit it for review: its callers are told before it becomes the default.',
  );

export const noticePeriod = () =>
  conflict('notice_period', 'This version costs more. It becomes the default when its notice is over, not earlier.');

export const versionSuspended = (id: string) =>
  conflict(
    'version_suspended',
    `An operator has suspended the version '${id}': it can't be public again until an operator reinstates it.`,
  );

export const suspendedAgent = () =>
  conflict(
    'agent_suspended',
    'An operator has suspended the agent: submit a new version for review, or ask to have it reinstated.',
  );

/** All reasons why a draft cannot be frozen, in one error; `loc` follows the JSON pointer. */
export const incompleteConfiguration = (findings: Finding[]) =>
  new ApiError({
    status: 422,
    code: 'incomplete_configuration',
    param: `configuration${findings[0]!.path.replaceAll('/', '.')}`,
    message: `The draft can't be published yet: ${findings.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
    detail: findings.map(({ path, message, code }) => ({
      loc: ['configuration', ...path.split('/').slice(1)],
      msg: message,
      type: code,
    })),
  });
