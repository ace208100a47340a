import type { BatchRefused } from '../../db/batches/batches.ts';
import type { StorageRefusal, StorageRefused } from '../../db/files/upload.ts';
import { ApiError } from './apiError.ts';
import { retryIn } from './limitErrors.ts';
import { validationError } from './requestErrors.ts';

export const overloaded = (waitMs = 1000, cause?: unknown) =>
  new ApiError({
    status: 503,
    code: 'overloaded',
    message: 'The service cannot take this request right now. Try again shortly.',
    headers: retryIn(waitMs),
    cause,
  });

/** The store of objects does not answer. */
export const fileStoreUnavailable = (cause: unknown) =>
  new ApiError({
    status: 503,
    code: 'file_store_unavailable',
    message: 'The store of files does not answer. Nothing was billed. Try again shortly.',
    headers: retryIn(5_000),
    cause,
  });

/** For `/readyz` only: `what` names the parts that do not work. */
export const notReady = (what: string) =>
  new ApiError({
    status: 503,
    code: 'overloaded',
    message: `The service cannot take this request right now (${what}). Try again shortly.`,
    headers: retryIn(1000),
  });

export const modelUnavailable = (message: string, cause?: unknown) =>
  new ApiError({ status: 503, code: 'model_unavailable', message, headers: retryIn(5000), cause });

export const providerFailed = (cause: unknown) =>
  new ApiError({
    status: 502,
    code: 'provider_failed',
    message: 'The model failed to answer. Nothing was billed.',
    cause,
  });

export const providerTimeout = (cause: unknown) =>
  new ApiError({
    status: 504,
    code: 'provider_timeout',
    message: 'The model stopped answering. Nothing was billed.',
    cause,
  });

export const paymentsUnavailable = () =>
  new ApiError({
    status: 503,
    code: 'payments_unavailable',
    message: 'This installation takes no payments: its operator sets STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.',
  });

export const webhooksUnavailable = () =>
  new ApiError({
    status: 503,
    code: 'webhooks_unavailable',
    message: 'Webhooks are not ready yet, because no worker has started. Try again in a few seconds.',
    headers: retryIn(5000),
  });

export const paymentsFailed = (cause: unknown) =>
  new ApiError({
    status: 502,
    code: 'payments_failed',
    message: 'The payment service did not take the order. Nothing was charged; try again shortly.',
    cause,
  });

export const internalError = (requestId: string, cause: unknown) =>
  new ApiError({ status: 500, code: 'internal_error', message: `Internal error. Request id: ${requestId}`, cause });

const STATUSES: Record<StorageRefusal, number> = {
  file_not_found: 404,
  upload_not_found: 404,
  upload_ended: 409,
  session_not_found: 404,
  entry_not_found: 404,
  not_a_directory: 409,
  directory_cycle: 409,
  directory_changed: 412,
  invalid_name: 422,
  name_conflict: 409,
  file_too_large: 413,
  storage_limit_exceeded: 413,
  session_busy: 409,
};

/** The error for a storage or session refusal. */
export function storageError({ code, message, generation }: StorageRefused): ApiError {
  if (code === 'invalid_name') return validationError([{ loc: ['body', 'name'], msg: message, type: 'value_error' }]);
  const headers: Record<string, string> = generation === undefined ? {} : { etag: `"dir-${generation}"` };
  return new ApiError({ status: STATUSES[code], code, message, headers });
}

/** The caller's error for a refused batch. */
export function batchError({ reason, message }: BatchRefused): ApiError {
  switch (reason) {
    case 'not_found':
      return new ApiError({ status: 404, code: 'batch_not_found', message });
    case 'ended':
      return new ApiError({ status: 409, code: 'batch_already_terminal', message });
    case 'too_many':
      return new ApiError({ status: 429, code: 'too_many_batches', message, headers: retryIn(60_000) });
    default:
      return reason satisfies never;
  }
}
