import type { RequiredAction, Run } from './types.ts';

/** Every error that this package throws on purpose. */
export class LedgerlineError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No answer came, also after retries: the name, the route or the connection failed. */
export class APIConnectionError extends LedgerlineError {}

/** No answer came in time, also after retries. */
export class APITimeoutError extends APIConnectionError {}

/** What the service says about a request that it refused or could not serve. */
type Refusal = Partial<Record<'message' | 'code' | 'param' | 'type' | 'status', string | null>>;

/** An answer that is not a success. `code` is for programs, `message` for people, `requestId` for support. */
export class APIError extends LedgerlineError {
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;
  readonly type: string | null;
  readonly requestId: string | null;
  readonly headers: Headers;
  readonly body: unknown;

  constructor({ status, headers }: Response, body: unknown) {
    // ElevenLabs' family has its errors in `detail`, with the code as `status`.
    const { error, detail } = Object(body) as { error?: unknown; detail?: unknown };
    const said = textsOf(Object(error ?? detail) as object);
    super(said.message ?? (typeof error === 'string' ? error : `The service answered ${status}.`));
    [this.status, this.headers, this.body] = [status, headers, body];
    [this.code, this.param, this.type] = [said.code ?? said.status ?? null, said.param ?? null, said.type ?? null];
    this.requestId = headers.get('x-request-id');
  }
}

/** The members that are texts: those of a proxy may be anything. */
const textsOf = (said: object): Refusal =>
  Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  );

/** 400, 413, 415, 416 and 422: the request is wrong; `param` names the place. */
export class InvalidRequestError extends APIError {}
/** 401: no key, or one that does not count any more. */
export class AuthenticationError extends APIError {}
/** 402: the balance, a ceiling or a budget does not cover the request. */
export class InsufficientBalanceError extends APIError {}
/** 403: the key may not do this. */
export class PermissionDeniedError extends APIError {}
/** 404 and 410. */
export class NotFoundError extends APIError {}
/** 409 and 412: another request came first. */
export class ConflictError extends APIError {}
/** 429: too many requests at once or in a minute. */
export class RateLimitError extends APIError {}
/** 5xx: a fault of the service or of its upstreams. */
export class ServerError extends APIError {}

const CLASSES: [typeof APIError, ...number[]][] = [
  [InvalidRequestError, 400, 413, 415, 416, 422],
  [AuthenticationError, 401],
  [InsufficientBalanceError, 402],
  [PermissionDeniedError, 403],
  [NotFoundError, 404, 410],
  [ConflictError, 409, 412],
  [RateLimitError, 429],
];

/** The error of an answer, by its status. `text` is its body. */
export function errorOf(response: Response, text: string): APIError {
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // A proxy's page, for example.
  }
  const found = CLASSES.find(([, ...statuses]) => statuses.includes(response.status))?.[0];
  return new (found ?? (response.status >= 500 ? ServerError : APIError))(response, body);
}

/** A run that did not complete. `run` has its output so far, and its bill. */
export class RunError extends LedgerlineError {
  readonly run: Run;

  constructor(run: Run) {
    super(reasonOf(run));
    this.run = run;
  }

  /** The cause of a failure, for programs. */
  get code(): string | null {
    return this.run.error?.code ?? null;
  }

  /** What the run waits for. */
  get actions(): RequiredAction[] {
    return this.run.required_actions;
  }
}

/** The run failed, and costs nothing. `code` names the cause. */
export class RunFailedError extends RunError {}
/** The run was cancelled. */
export class RunCancelledError extends RunError {}
/** The run used up its money, time or steps: `run.limit` says which. */
export class RunLimitReachedError extends RunError {}
/** The run waits for an answer (`actions`), and nobody is there to give it: `runs.answer` answers, and `runs.wait` goes on. */
export class RunRequiresActionError extends RunError {}

function reasonOf({ id, status, status_reason, error, limit, required_action: action }: Run): string {
  if (error) return error.message;
  const about = status_reason ?? limit?.kind ?? action?.question ?? action?.message ?? action?.type;
  const outcome = status === 'requires_action' ? 'waits for an answer' : `ended as ${status}`;
  return `The run ${id} ${outcome}${about ? `: ${about}` : ''}`;
}
