import { z } from 'zod';
import { sizeText } from '../../../base/limits.ts';
import { LONG_TEXT_BODY, MEDIA_BODY, SMALL_BODY } from '../../../base/limits.ts';
import { ISSUES_MAX } from '../../body/parseWith.ts';
import type { ErrorStatus } from '../../../base/errors/apiError.ts';
import type { NamedSchema } from '../../http/documentedRoute.ts';

/** The body of every error. */
export const ErrorAnswer: NamedSchema = {
  id: 'Error',
  schema: z
    .object({
      error: z.object({
        message: z.string().describe('A sentence for humans.'),
        type: z.enum(['invalid_request_error', 'permission_error', 'billing_error', 'rate_limit_error', 'api_error']),
        param: z
          .string()
          .nullable()
          .describe(
            'The parameter at fault by its name, for example `messages[0].content` or `diarize`; null for the request as a whole.',
          ),
        code: z.string().describe('A stable code for programs, for example `invalid_api_key`.'),
      }),
      detail: z
        .union([
          z.array(z.object({ loc: z.array(z.union([z.string(), z.int()])), msg: z.string(), type: z.string() })),
          z.object({ status: z.string(), message: z.string() }),
        ])
        .optional()
        .describe(
          `With 422: the first ${ISSUES_MAX} places that do not fit the schema; the message counts the others. ` +
            'Otherwise in the voice family: what ElevenLabs’ clients read.',
        ),
    })
    .describe('Every error has this body.'),
};

const ERROR_DESCRIPTIONS: Record<ErrorStatus, string> = {
  400:
    'The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, ' +
    '`invalid_type`, `missing_required_parameter`, …',
  401: 'The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`).',
  402:
    'Nothing ran: the balance is used up (`insufficient_balance`) or the key or its project reached its ceiling ' +
    '(`key_spend_limit_reached`, `project_spend_limit_reached`), or what is left of it is less than the request needs. The headers ' +
    '`x-limit-source`, `x-limit-remaining-usd` and `x-limit-resets-at` say which. A body of more than 1 MiB ' +
    'is refused so before it is read.',
  403: 'The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`).',
  404: 'Not found: `model_not_found` (the message names the nearest model), `not_found`.',
  406:
    'The header `accept` names neither `application/json` nor `text/event-stream`, or no event stream where ' +
    'the answer is one. The error is in the form of JSON-RPC.',
  409:
    'The request conflicts with another one or with the state of the resource: `idempotency_conflict`, ' +
    '`idempotency_in_progress`, `session_busy`, `name_conflict`, …',
  410: 'It is past its retention, `event_expired`, or was too large to be kept, `stream_not_kept`.',
  412: 'The resource has changed since it was read: read it again and send its new `ETag` in `If-Match`.',
  413:
    `The body is too large: \`request_too_large\`. Chat and responses take ${sizeText(MEDIA_BODY.bytesMax)}, ` +
    'so that images and files fit; other routes for long texts or token numbers ' +
    `${sizeText(LONG_TEXT_BODY.bytesMax)}, all others ${sizeText(SMALL_BODY.bytesMax)}. A body may be ` +
    'compressed (gzip, br, zstd): the limits are of what it inflates to. Uploads have the limits of their ' +
    'routes: `file_too_large`.',
  415: 'The body is not of a media type this route reads: `unsupported_media_type`.',
  416: 'The range is outside of the file: `range_not_satisfiable`.',
  422: 'The request does not fit the schema: `validation_error`, `unsupported_parameter`.',
  426: 'The address is a WebSocket: `upgrade_required`.',
  428: 'The header `If-Match` is required: `if_match_required`. Read the resource and send its `ETag`.',
  429:
    'Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or ' +
    'running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). ' +
    '`retry-after` says when to try again.',
  500: 'Internal error: `internal_error`. The message has the request id.',
  502: 'The model failed to answer: `provider_failed`. Nothing was billed.',
  503:
    'The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. ' +
    '`retry-after` says when to try again.',
  504: 'The model stopped answering: `provider_timeout`. Nothing was billed.',
};

// The MCP library answers in its protocol's form.
const BODIES: Partial<Record<ErrorStatus, string>> = { 406: 'McpAnswer' };

/** The errors of these statuses as reusable responses, in order. */
export function errorResponses(statuses: ErrorStatus[]): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    statuses.toSorted((one, other) => one - other).map((status) => [`Error${status}`, errorResponse(status)]),
  );
}

/** The errors of a status, with another body and more headers where a protocol has them. */
export const errorResponse = (
  status: ErrorStatus,
  {
    bodyId = BODIES[status] ?? ErrorAnswer.id,
    headers = {},
  }: { bodyId?: string; headers?: Record<string, unknown> } = {},
) => ({
  description: ERROR_DESCRIPTIONS[status],
  headers: {
    ...headerRefs(HEADER_NAMES.filter((name) => carriesHeader(status, name))),
    ...ERROR_HEADERS[status],
    ...headers,
  },
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${bodyId}` } } },
});

// Requests without a key have no rate limits, and errors cost nothing.
const carriesHeader = (status: ErrorStatus, name: HeaderName) =>
  name.startsWith('x-ratelimit-') ? status !== 401 : name !== 'x-cost-usd' && name !== 'x-truncated';

/** Other headers of an error. */
const ERROR_HEADERS: Partial<Record<ErrorStatus, Record<string, unknown>>> = {
  401: { 'www-authenticate': header('`Bearer`: a key is to be sent.') },
  402: {
    'x-limit-source': header('Which limit it was: `balance`, `key` or `project`.'),
    'x-limit-remaining-usd': header('What is left of it, in US dollars.'),
    'x-limit-resets-at': header('When the ceiling of the key or project is reset.'),
  },
  409: { 'x-should-retry': header('Whether the same request may succeed later: `true` or `false`.') },
  412: { etag: header('The `ETag` as it is now.') },
  416: { 'content-range': header('How many bytes there are: `bytes */<size>`.') },
  429: {
    ...retryHeaders(),
    'x-limit-source': header('With `balance_held`: `hold`.'),
    'x-limit-remaining-usd': header('With `balance_held`: what is left of the balance or the ceiling, in US dollars.'),
  },
  503: retryHeaders(),
};

function retryHeaders() {
  return {
    'retry-after': header('When to try again, in whole seconds.', 'integer'),
    'retry-after-ms': header('The same in milliseconds.', 'integer'),
  };
}

/** A header as the document describes it. */
export function header(description: string, type: 'string' | 'integer' = 'string') {
  return { description, schema: { type } };
}

/** Response headers, by name. */
export const HEADERS = {
  'x-request-id': header('Names this request in logs, bills and support.'),
  'x-api-version': header('The date of this interface.'),
  'x-cost-usd': header('What the answer cost, in US dollars. Not on streams: read it from the request afterwards.'),
  'x-truncated': header(
    'Only on an answer that ended because the money did: `balance`, or `key` for the spend limit of the key.',
  ),
  'x-ratelimit-limit-requests': header('Requests the key may make a minute.', 'integer'),
  'x-ratelimit-remaining-requests': header('Requests left of them now.', 'integer'),
  'x-ratelimit-reset-requests': header('When all are there again, for example `1s` or `6m0s`.'),
  'x-ratelimit-limit-concurrency': header(
    'Requests the key may have in flight; of a stream that follows a run or resumes an answer: such streams.',
    'integer',
  ),
  'x-ratelimit-remaining-concurrency': header('How many more it may start now.', 'integer'),
};

type HeaderName = keyof typeof HEADERS;

export const HEADER_NAMES = Object.keys(HEADERS) as HeaderName[];

/** References to the described headers among `names`, by name. */
export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
