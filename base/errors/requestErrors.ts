import { ApiError, type ValidationIssue } from './apiError.ts';

export const invalidRequest = (code: string, message: string, param: string | null = null) =>
  new ApiError({ status: 400, code, message, param });

/**
 * For the voice, platform and agent families; at least one issue. `param` is the dotted path of the first issue, null for the body as a
 * whole. `unlisted` is the number of further issues.
 */
export const validationError = (detail: ValidationIssue[], code = 'validation_error', unlisted = 0) => {
  const { loc, msg } = detail[0]!;
  const param = loc.slice(1).join('.') || null;
  const more = unlisted > 0 ? ` (${unlisted} more issues are not listed.)` : '';
  return new ApiError({ status: 422, code, message: `${param ?? loc[0]}: ${msg}${more}`, param, detail });
};

/** One value that no schema could refuse, by its place: `['body', 'url']`. */
export const validationErrorAt = (loc: string[], msg: string, code?: string) =>
  validationError([{ loc, msg, type: 'value_error' }], code);

/** `param` is the member of the body or query that names what does not exist; null where the path does. */
export const notFound = (what: string, code = 'not_found', param: string | null = null) =>
  new ApiError({ status: 404, code, message: what, param });

/** `hint` is a sentence about what the client probably meant. */
export const unknownRoute = (method: string, path: string, hint: string | null = null) =>
  notFound(
    `Unknown request URL: ${method} ${path}.${hint === null ? '' : ` ${hint}`} See /docs for what exists.`,
    'unknown_url',
  );

/** The refusal of a method that an address does not have, or of a WebSocket where none opens. `instead`: what does the method's work. */
export const methodNotAllowed = (
  method: string,
  allowed: string[],
  { isSocket = false, instead = null }: { isSocket?: boolean; instead?: string | null } = {},
) =>
  new ApiError({
    status: 405,
    code: 'method_not_allowed',
    message: isSocket
      ? `No WebSocket opens here; send ${allowed.join(' or ')} over HTTP.`
      : `${method} is not allowed here; use ${allowed.join(' or ')}.${instead ? ` ${instead}` : ''}`,
    headers: { allow: allowOf(allowed) },
  });

/** The header `Allow` of these methods: every GET route answers HEAD too. */
export const allowOf = (methods: string[]): string =>
  methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');

/** A request that conflicts with the current state. */
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

export const unsupportedMediaType = (message: string, param: string | null = null) =>
  new ApiError({ status: 415, code: 'unsupported_media_type', message, param });

/** A body in a content encoding that is not supported here; `supported` are the others. */
export const unsupportedEncoding = (message: string, supported: string) =>
  new ApiError({ status: 415, code: 'unsupported_media_type', message, headers: { 'accept-encoding': supported } });

export const requestTimeout = () =>
  new ApiError({ status: 408, code: 'request_timeout', message: 'The request did not arrive in time.' });
