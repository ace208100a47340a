import type { RequiredAction, Run } from './types.ts';

/** Every error that this package throws on purpose. */
export class LedgerlineError extends Error {
  override name = 'LedgerlineError';
}

/** No answer came, also after retries: the name, the route or the connection failed. */
export class APIConnectionError extends LedgerlineError {
  override name = 'APIConnectionError';
}

/** No answer came in time, also after retries. */
export class APITimeoutError extends APIConnectionError {
  override name = 'APITimeoutError';
}

/** What the service says about a request that it refused or could not serve. */
interface Refusal {
  message: string;
  code: string | null;
  param: string | null;
  type: string | null;
}

/** An answer that is not a success. `code` is for programs, `message` for people, `requestId` for support. */
export class APIError extends LedgerlineError {
  override name = 'APIError';
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;
  readonly type: string | null;
  readonly requestId: string | null;
  readonly headers: Headers;
  readonly body: unknown;

  constructor(response: Response, body: unknown) {
    const refusal = refusalOf(response, body);
    super(refusal.message);
    this.status = response.status;
    this.code = refusal.code;
    this.param = refusal.param;
    this.type = refusal.type;
    this.requestId = response.headers.get('x-request-id');
    this.headers = response.headers;
    this.body = body;
  }
}

/** 400 and 422: the request is wrong; `param` names the place. */
export class InvalidRequestError extends APIError {
  override name = 'InvalidRequestError';
}
/** 401: no key, or one that does not count any more. */
export class AuthenticationError extends APIError {
  override name = 'AuthenticationError';
}
/** 402: the balance, a ceiling or a budget does not cover the request. */
export class InsufficientBalanceError extends APIError {
  override name = 'InsufficientBalanceError';
}
/** 403: the key may not do this. */
export class PermissionDeniedError extends APIError {
  override name = 'PermissionDeniedError';
}
/** 404 and 410. */
export class NotFoundError extends APIError {
  override name = 'NotFoundError';
}
/** 409 and 412: another request came first. */
export class ConflictError extends APIError {
  override name = 'ConflictError';
}
/** 429: too many requests at once or in a minute. */
export class RateLimitError extends APIError {
  override name = 'RateLimitError';
}
/** 5xx: a fault of the service or of its upstreams. */
export class ServerError extends APIError {
  override name = 'ServerError';
}

const CLASSES: Record<number, typeof APIError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: InsufficientBalanceError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  412: ConflictError,
  422: InvalidRequestError,
  429: RateLimitError,
};

/** A run that did not complete. `run` has its output so far, and its bill. */
class RunError extends LedgerlineError {
  readonly run: Run;

  constructor(message: string, run: Run) {
    super(message);
    this.run = run;
  }
}

/** The run failed, and costs nothing. `code` names the cause. */
export class RunFailedError extends RunError {
  override name = 'RunFailedError';
  readonly code: string | null;

  constructor(run: Run) {
    super(run.error?.message ?? `The run ${run.id} failed.`, run);
    this.code = run.error?.code ?? null;
  }
}
/** The run was cancelled. */
export class RunCancelledError extends RunError {
  override name = 'RunCancelledError';

  constructor(run: Run) {
    super(`The run ${run.id} was cancelled${run.status_reason ? `: ${run.status_reason}` : ''}.`, run);
  }
}
/** The run used up its money, time or steps: `run.limit` says which. */
export class RunLimitReachedError extends RunError {
  override name = 'RunLimitReachedError';

  constructor(run: Run) {
    super(`The run ${run.id} reached its limit${run.limit ? ` of ${run.limit.kind}` : ''}.`, run);
  }
}
/** The run waits for an answer, and nobody is there to give it: `runs.answer` answers, and `runs.wait` goes on. */
export class RunRequiresActionError extends RunError {
  override name = 'RunRequiresActionError';
  readonly actions: RequiredAction[];

  constructor(run: Run) {
    super(`The run ${run.id} waits for an answer: ${run.required_action?.question ?? run.required_action?.type}`, run);
    this.actions = run.required_actions;
  }
}

/** The error of an answer, by its status. `body` is its text, or what its JSON says. */
export function errorOf(response: Response, body: unknown): APIError {
  const { status } = response;
  return new (CLASSES[status] ?? (status >= 500 ? ServerError : APIError))(response, body);
}

function refusalOf(response: Response, body: unknown): Refusal {
  const error = (body as { error?: unknown } | null)?.error ?? (body as { detail?: unknown } | null)?.detail;
  const { message, code, param, type } = (typeof error === 'object' && error !== null ? error : {}) as Partial<Refusal>;
  return {
    message: message ?? (typeof error === 'string' ? error : `The service answered ${response.status}.`),
    code: code ?? null,
    param: param ?? null,
    type: type ?? null,
  };
}
