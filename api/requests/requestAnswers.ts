import { z } from 'zod';
import { ATTEMPT_OUTCOMES } from '../../providers/routingNote.ts';
import { PRODUCTS } from '../../db/catalog/products.ts';
import { REFUSAL_DAYS } from '../../db/accounting/refusals.ts';
import { COUNTED_MAX } from '../../db/postgres/countedRows.ts';

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
  product: z
    .enum(PRODUCTS)
    .nullable()
    .describe('What it was sold as, or of a refused call what it asked for; null where that was none.'),
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
  project_id: z.string().describe('The project of its key when it was made: `default`, or the id of another.'),
  response_id: z
    .string()
    .nullable()
    .describe('The `id` in the answer: `chatcmpl-…`, `cmpl-…` or `resp_…`; null where answers have none.'),
  upstream: z.string().nullable().describe('The supplier that answered, or was tried last.'),
  attempts: z.int().nullable().describe('How many suppliers were tried.'),
  routing: z
    .object({
      by: z
        .enum(['order', 'weighted', 'price', 'latency', 'errors', 'explore', 'probe'])
        .describe(
          'The rule of its model; `explore`: its figures were not known; `probe`: it was tried again after failures.',
        ),
      healthy: z.int().describe('How many suppliers were healthy.'),
      of: z.int().describe('How many could serve the call.'),
      reason: z.string().describe('The same in words.'),
      attempts: z
        .array(
          z.object({
            upstream: z.string(),
            outcome: z
              .enum(ATTEMPT_OUTCOMES)
              .describe('`late`: another one answered first; `skipped`: not tried in its order.'),
            ms: z.int().nullable().describe('Until it answered, failed or was left.'),
          }),
        )
        .describe('Empty where the first one answered.'),
    })
    .nullable()
    .describe('Why that supplier; null where the model has one.'),
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
  has_content: z.boolean().describe('Whether its prompt and answer are kept: see `GET …/content`.'),
  calls: z
    .int()
    .describe(
      'How many calls this entry stands for: beyond 30 refusals of a key in a minute, the others are only counted, by code.',
    ),
});

export const RequestTotals = z.object({
  object: z.literal('request.totals'),
  count: z.int().describe('Entries of the list.'),
  calls: z.int().describe('How many calls they stand for.'),
  cost_usd: usd.nullable().describe('Null when `is_capped`.'),
  is_capped: z.boolean().describe(`There are more than ${COUNTED_MAX} entries: they are not counted further.`),
});
