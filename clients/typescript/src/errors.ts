/** Every error that this package throws on purpose. */
export class LedgerlineError extends Error {
  override name = 'LedgerlineError';
}

/** No answer came, also after retries: the name, the route or the connection failed. */
export class APIConnectionError extends LedgerlineError {
  override name = 'APIConnectionError';
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
