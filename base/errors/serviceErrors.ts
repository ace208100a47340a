import { ApiError } from './apiError.ts';
import { retryIn } from './limitErrors.ts';

export const overloaded = (waitMs = 1000, cause?: unknown) =>
  new ApiError({
    status: 503,
    code: 'overloaded',
    message: 'The service cannot take this request right now. Try again shortly.',
    headers: retryIn(waitMs),
    cause,
  });

/** The object store does not answer. */
export const fileStoreUnavailable = (cause: unknown) =>
  new ApiError({
    status: 503,
    code: 'file_store_unavailable',
    message: 'The store of files does not answer. Nothing was billed. Try again shortly.',
    headers: retryIn(5_000),
    cause,
  });

/** For `/readyz` only: `what` names the failing parts. */
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
