import { z } from 'zod';
import { REFUSAL_DAYS } from '../../db/accounting/refusals.ts';
import { pageQuery } from '../http/page.ts';
import { pageOf, type RouteDoc } from '../http/documentedRoute.ts';
import { timeRange } from '../body/timeRange.ts';

const usd = z.number();
const time = z.iso.datetime();

export const EndedCall = z.object({
  id: z.string(),
  object: z.literal('request'),
  route: z.string(),
  model: z
    .string()
    .nullable()
    .describe('The model, or the agent, that it named; null when it was refused before that was read.'),
  status: z.int().describe('499 when the client disconnected before the end.'),
  cancelled: z.boolean(),
  usage: z.array(z.object({ unit: z.string(), quantity: z.number() })),
  cost_usd: usd,
  hold_usd: usd.describe('The largest hold of the call.'),
  started_at: time,
  settled_at: time.describe('When it was billed: the time of its ledger entry. Lists and usage go by it.'),
  first_byte_ms: z.number().nullable(),
  duration_ms: z.number(),
  stream_bytes: z.int(),
  ledger_entry_ids: z.array(z.string()),
  key_id: z.string(),
  key_prefix: z.string().nullable(),
  key_name: z.string().nullable(),
  response_id: z
    .string()
    .nullable()
    .describe('The `id` in the answer: `chatcmpl-…`, `cmpl-…` or `resp_…`; null where answers have none.'),
  upstream: z.string().nullable().describe('The supplier that answered, or was tried last.'),
  attempts: z.int().nullable().describe('How many suppliers were tried.'),
  retries: z.int().describe('How many retries of its client got this answer again, and paid nothing.'),
  finish_reason: z.string().nullable(),
  cached_tokens: z.int().nullable(),
  reasoning_tokens: z.int().nullable(),
  error: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe(
      `Why it was refused or failed, as it was answered. Kept for ${REFUSAL_DAYS} days; null for what succeeded.`,
    ),
  calls: z
    .int()
    .describe(
      'How many calls this entry stands for: beyond 30 refusals of a key in a minute, the others are only counted, by code.',
    ),
});

/** Query of `GET /platform/v1/requests`. */
export const RequestsQuery = z.strictObject({
  model: z.string().min(1).max(200).optional(),
  key: z.string().min(1).max(100).optional().describe('The id or the prefix of a key.'),
  status: z
    .string()
    .regex(/^([1-5]\d\d|[1-5]xx|cancelled)$/, 'A status is a number as 200, a class as 4xx or 5xx, or cancelled.')
    .optional()
    .describe('`200`, a class (`4xx`, `5xx`), or `cancelled`: calls whose clients disconnected.'),
  route: z.string().min(1).max(200).optional().describe('As requests show it: `/v1/chat/completions`.'),
  ...timeRange,
  ...pageQuery,
});

/** Documentation of calls and their cost. */
export const requestDocs = {
  list: {
    tag: 'Billing',
    summary: 'List the requests of the workspace',
    description: `Calls that have ended, the last one first. Calls that were refused before anything ran are listed for ${REFUSAL_DAYS} days with their \`error\`; they cost nothing. Send \`next_cursor\` as \`cursor\` for the next page.`,
    query: RequestsQuery,
    answer: { id: 'RequestPage', schema: pageOf(EndedCall) },
  },
  retrieve: {
    tag: 'Billing',
    summary: 'Read what a request was and what it cost',
    description:
      'There from the moment the answer ended, also of a call that was refused: then `error` says why; 409 `request_not_ended` while a stream still runs, or is still ending because its client has just left. The id is the answer’s `x-request-id`, or the `id` in its body (`chatcmpl-…`, `cmpl-…`, `resp_…`).',
    answer: { id: 'EndedRequest', schema: EndedCall },
    errors: [409, 422],
  },
} satisfies Record<string, RouteDoc>;
