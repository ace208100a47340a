/** Every error a caller can see: status, code and text live here, one factory each. */

export type ErrorType =
  'invalid_request_error' | 'permission_error' | 'billing_error' | 'rate_limit_error' | 'api_error';

interface Options {
  status: number;
  code: string;
  message: string;
  param?: string | null;
  headers?: Record<string, string>;
  detail?: ValidationIssue[];
  cause?: unknown;
}

/** What every error answer says in its member `error`. */
export interface ErrorBody {
  message: string;
  type: ErrorType;
  param: string | null;
  code: string;
}

/** One thing wrong with a request, as FastAPI tells it: `loc` is the way to it from `body`, `query` or `path`. */
export interface ValidationIssue {
  loc: string[];
  msg: string;
  type: string;
}

/** An answer that is an error: `message` is for the caller, `cause` for the log. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly type: ErrorType;
  readonly param: string | null;
  readonly headers: Record<string, string>;
  /** Set for a failed validation: sent beside the error. */
  readonly detail: ValidationIssue[] | undefined;

  constructor({ status, code, message, param = null, headers = {}, detail, cause }: Options) {
    super(message, { cause });
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.type = typeOf(status);
    this.param = param;
    this.headers = headers;
    this.detail = detail;
  }

  /** The body of the answer: exactly four members. */
  get body(): ErrorBody {
    return { message: this.message, type: this.type, param: this.param, code: this.code };
  }
}

function typeOf(status: number): ErrorType {
  if (status >= 500) return 'api_error';
  if (status === 429) return 'rate_limit_error';
  if (status === 402) return 'billing_error';
  return status === 403 ? 'permission_error' : 'invalid_request_error';
}

// RFC 9110 has a 401 say how to authenticate.
const CHALLENGE = { 'www-authenticate': 'Bearer realm="Ledgerline API"' };

export const invalidApiKey = () =>
  new ApiError({
    status: 401,
    headers: CHALLENGE,
    code: 'invalid_api_key',
    message: 'Missing or invalid API key. Send it as "Authorization: Bearer <key>" or "x-api-key: <key>".',
  });

export const keyEnded = () =>
  new ApiError({
    status: 401,
    headers: CHALLENGE,
    code: 'invalid_api_key',
    message: 'This API key was revoked, or has expired.',
  });

export const scopeNotAllowed = (scope: string) =>
  new ApiError({ status: 403, code: 'scope_not_allowed', message: `This key does not have the scope "${scope}".` });

export const invalidRequest = (code: string, message: string, param: string | null = null) =>
  new ApiError({ status: 400, code, message, param });

/** For the voice, platform and agent families; at least one issue. `param` is where the first one is, dotted. */
export const validationError = (detail: ValidationIssue[], code = 'validation_error') => {
  const param = detail[0]!.loc.join('.');
  return new ApiError({ status: 422, code, message: `${param}: ${detail[0]!.msg}`, param, detail });
};

export const notFound = (what: string, code = 'not_found') => new ApiError({ status: 404, code, message: what });

export const eventExpired = () =>
  new ApiError({
    status: 410,
    code: 'event_expired',
    message: 'The events after this one are past their retention of 30 days.',
  });

export const unknownRoute = (method: string, path: string) =>
  notFound(`Unknown request URL: ${method} ${path}. See /docs for what exists.`, 'unknown_url');

export const methodNotAllowed = (method: string, allowed: string[]) =>
  new ApiError({
    status: 405,
    code: 'method_not_allowed',
    message: `${method} is not allowed here; use ${allowed.join(' or ')}.`,
    // Whatever can be read answers HEAD too.
    headers: { allow: allowed.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ') },
  });

export const modelNotFound = (name: string, nearest: string, param = 'model') =>
  new ApiError({
    status: 404,
    code: 'model_not_found',
    param,
    message: `The model '${name.slice(0, 256)}' does not exist, or is not for this. Did you mean '${nearest}'? GET /v1/models lists all.`,
  });

export const voiceNotFound = (id: string) =>
  notFound(`A voice with the voice_id ${id.slice(0, 256)} was not found.`, 'voice_not_found');

/** As ElevenLabs says it: callers look for its code in `detail.status`. */
export const voiceLimitReached = (voicesMax: number) =>
  invalidRequest(
    'voice_limit_reached',
    `You have reached your maximum amount of custom voices (${voicesMax} / ${voicesMax}). Remove one to add another.`,
  );

/** A request that is at odds with how things stand. */
export const conflict = (code: string, message: string, headers: Record<string, string> = {}) =>
  new ApiError({ status: 409, code, message, headers });

export const idempotencyConflict = () =>
  conflict('idempotency_conflict', 'This Idempotency-Key was used for a different request.');

export const idempotencyInProgress = () =>
  conflict('idempotency_in_progress', 'The first request with this Idempotency-Key still runs. Try again shortly.', {
    'retry-after': '1',
    'x-should-retry': 'true',
  });

export const bodyTooLarge = (limitBytes: number) =>
  new ApiError({ status: 413, code: 'request_too_large', message: `The body is larger than ${limitBytes} bytes.` });

export const unsupportedMediaType = (message: string) =>
  new ApiError({ status: 415, code: 'unsupported_media_type', message });

export const requestTimeout = () =>
  new ApiError({ status: 408, code: 'request_timeout', message: 'The request did not arrive in time.' });

const retryIn = (waitMs: number) => ({
  'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))),
  'retry-after-ms': String(Math.max(1, Math.ceil(waitMs))),
});

export const rateLimitExceeded = (limit: number, waitMs: number) =>
  new ApiError({
    status: 429,
    code: 'rate_limit_exceeded',
    message: `This key may make ${limit} requests a minute. Try again in ${Math.ceil(waitMs / 1000)} s.`,
    headers: retryIn(waitMs),
  });

export const concurrencyLimitExceeded = (limit: number) =>
  new ApiError({
    status: 429,
    code: 'concurrency_limit_exceeded',
    message: `This key may have ${limit} requests in flight. Try again when one of them has ended.`,
    headers: retryIn(1000),
  });

export const tooManyRuns = (limit: number) =>
  new ApiError({
    status: 429,
    code: 'too_many_runs',
    message: `The workspace may have ${limit} runs open at once. Try again when one of them has ended, or cancel one.`,
    headers: retryIn(5000),
  });

/** What a 402 says beside its message: which limit it was, what is left of it, and when it is reset. */
export interface LimitState {
  source: 'balance' | 'key' | 'hold';
  remainingUsd: string;
  resetsAt: string | null;
}

const limitHeaders = ({ source, remainingUsd, resetsAt }: LimitState) => ({
  'x-limit-source': source,
  'x-limit-remaining-usd': remainingUsd,
  ...(resetsAt && { 'x-limit-resets-at': resetsAt }),
});

export const insufficientBalance = (state: LimitState) =>
  new ApiError({
    status: 402,
    code: 'insufficient_balance',
    headers: limitHeaders(state),
    message:
      state.source === 'hold'
        ? 'What is left of the balance is held by requests that are running. Try again when they have ended, or top up.'
        : 'The account balance is zero. Top up to go on.',
  });

export const keySpendLimitReached = (state: LimitState) =>
  new ApiError({
    status: 402,
    code: 'key_spend_limit_reached',
    headers: limitHeaders(state),
    message:
      state.source === 'hold'
        ? 'What is left of the spend limit of this key is held by requests that are running. Try again when they have ended, or raise the limit.'
        : 'This key has reached its spend limit. Raise the limit or wait for its reset.',
  });

export const overloaded = (waitMs = 1000, cause?: unknown) =>
  new ApiError({
    status: 503,
    code: 'overloaded',
    message: 'The service cannot take this request right now. Try again shortly.',
    headers: retryIn(waitMs),
    cause,
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

export const internalError = (requestId: string, cause: unknown) =>
  new ApiError({ status: 500, code: 'internal_error', message: `Internal error. Request id: ${requestId}`, cause });
