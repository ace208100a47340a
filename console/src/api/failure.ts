import { accountFailure } from './accountFailures.ts';
import { plainWords } from './plainWords.ts';

/** A refusal by the API, with a message for people. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  /** The invalid parameter, by the API's name. */
  readonly param: string | null;
  readonly requestId: string | null;
  /** All validation errors, by their path in the request: `pricing.rates.0.price_usd`. */
  readonly fields: { path: string; message: string }[];

  constructor(facts: {
    message: string;
    status: number;
    code: string;
    param?: string | null;
    requestId: string | null;
    fields?: { path: string; message: string }[];
  }) {
    super(facts.message);
    this.name = 'ApiFailure';
    this.status = facts.status;
    this.code = facts.code;
    this.param = facts.param ?? null;
    this.requestId = facts.requestId;
    this.fields = facts.fields ?? [];
  }
}

interface ErrorBody {
  error?: { message?: string; code?: string; param?: string | null };
  detail?: { loc: (string | number)[]; msg: string }[] | { message?: string; status?: string };
  // The accounts library's form.
  message?: string;
  code?: string;
}

/** Reads the body of a refusal: the API's form, a list of validation errors, or the accounts library's form. */
export function failureOf(response: Response, body: unknown): ApiFailure {
  const { error, detail, message, code } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody;
  const fields = Array.isArray(detail) ? detail : [];
  // An id that none can have is one that does not exist.
  const isOfAddress = fields.length > 0 && fields.every(({ loc }) => loc[0] === 'path');
  // Where no session is, the API says how programs and people sign in: the console shows its own page for that.
  const isSession = response.status === 401 && SESSION_MISSING.includes(error?.code ?? '');
  const ofAccount = accountFailure(error?.code ?? code);
  const sentence = isSession
    ? DEFAULTS[401]!
    : isOfAddress
      ? plainWords(fields[0]!.msg)
      : fields.length > 0
        ? fields.map(({ loc, msg }) => `${loc.slice(1).join('.') || 'The request'}: ${plainWords(msg)}`).join(' ')
        : (ofAccount?.sentence ??
          error?.message ??
          message ??
          DEFAULTS[response.status] ??
          `The service answered ${response.status}.`);
  return new ApiFailure({
    message: response.status === 429 ? withTime(sentence, response.headers.get('retry-after')) : sentence,
    status: isOfAddress ? MISSING : response.status,
    code: error?.code ?? code ?? String(response.status),
    param: error?.param ?? ofAccount?.param ?? (fields[0] ? String(fields[0].loc.at(-1)) : null),
    requestId: response.headers.get('x-request-id'),
    fields: fields.map(({ loc, msg }) => ({ path: loc.slice(1).join('.'), message: plainWords(msg) })),
  });
}

const MISSING = 404;
/** A browser without a session sends nothing, which the API takes for a missing key; one whose session has ended is not signed in. */
const SESSION_MISSING = ['invalid_api_key', 'not_signed_in'];

const SAYS_WHEN = /\b(again|wait)\b/i;

/** Adds the time of `retry-after` to a sentence that does not say when to try again. */
function withTime(sentence: string, retryAfter: string | null): string {
  const seconds = Math.ceil(Number(retryAfter));
  if (!(seconds > 0) || SAYS_WHEN.test(sentence)) return sentence;
  const [count, unit] =
    seconds < 100
      ? [seconds, 'second']
      : seconds < 6_000
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3_600), 'hour'];
  return `${sentence} Try again in ${count === 1 ? `a ${unit}` : `${count} ${unit}s`}.`;
}

const DEFAULTS: Record<number, string> = {
  401: 'You are not signed in.',
  403: 'Your role in this workspace does not allow this. Ask an owner.',
  404: 'This does not exist, or not in this workspace.',
  413: 'This is too large.',
  429: 'Too many requests.',
  500: 'Something failed in the service. Try again.',
  502: 'A service behind the API did not answer. Try again.',
  503: 'The service is busy. Try again in a moment.',
};

/** How browsers say that a part of the pages' own code did not come: the connection is down, or a newer build has replaced it. */
const CODE_MISSING = /dynamically imported module|importing a module script|unable to preload css/i;

export const isCodeMissing = (error: unknown): boolean => error instanceof Error && CODE_MISSING.test(error.message);

/** The message for any thrown value: of what the service failed at it names the request. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiFailure) {
    const { status, message, requestId } = error;
    return status >= 500 && requestId ? `${message} To ask for help, name request ${requestId}.` : message;
  }
  if (isCodeMissing(error))
    return 'A part of the console could not be loaded: it was updated meanwhile, or the connection is down.';
  if (error instanceof TypeError) return 'The service could not be reached. Check your connection and try again.';
  return error instanceof Error ? error.message : 'Something went wrong.';
}

/** Whether what was asked for does not exist: asking again does not help. */
export const isMissing = (error: unknown): boolean => error instanceof ApiFailure && error.status === MISSING;

/** Whether a change is refused because of what happened elsewhere: the page shows what was before. */
export const isOutdated = (error: unknown): boolean =>
  isMissing(error) || (error instanceof ApiFailure && error.status === 409);

/** Whether it needs a newer sign-in. */
export const isSignInOld = (error: unknown): boolean =>
  error instanceof ApiFailure && error.code === 'recent_login_required';

/** Whether it needs another role. The role may have changed since the page was opened. */
export const isForbidden = (error: unknown): boolean => error instanceof ApiFailure && error.status === 403;

/** Whether the answer is about what was asked for, and not an outage, an overload or a connection that is down: those pass. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiFailure && error.status < 500 && error.status !== 429;

/** Whether it passes by itself: an outage, an overload, or a connection that is down. A fault of the pages' own code does not. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiFailure ? !isRefused(error) : error instanceof TypeError && NOT_FETCHED.test(error.message);

// How browsers say that a request had no answer, and `boundSilence`.
const NOT_FETCHED = /fetch|load failed|network|nothing came/i;

/** Whether the tab's workspace is none of the person's, or no longer. */
export const isElsewhere = (error: unknown): boolean =>
  error instanceof ApiFailure && error.code === 'workspace_not_allowed';

/** The codes of a missing session, of the API and of the accounts library, which answers 401 to a wrong code or password too. */
const SIGNED_OUT = [...SESSION_MISSING, 'failed_to_get_session', 'invalid_two_factor_cookie', '401'];

export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiFailure && error.status === 401 && SIGNED_OUT.includes(error.code);
