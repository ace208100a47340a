/** The statuses of errors. */
export type ErrorStatus =
  400 | 401 | 402 | 403 | 404 | 406 | 409 | 410 | 412 | 413 | 415 | 416 | 422 | 426 | 428 | 429 | 500 | 502 | 503 | 504;

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

/** Members of `error` in every error answer. */
export interface ErrorBody {
  message: string;
  type: ErrorType;
  param: string | null;
  code: string;
}

/** One issue of a request, as in FastAPI: `loc` is its path from `body`, `query` or `path`. */
export interface ValidationIssue {
  loc: string[];
  msg: string;
  type: string;
}

/**
 * An error answer: `message` is for the caller, `cause` for the log. Each has one factory: shared errors are in this folder, family
 * errors beside the family's handlers.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly type: ErrorType;
  readonly param: string | null;
  readonly headers: Record<string, string>;
  /** Issues of a failed validation, sent beside the error. */
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
