import { z } from 'zod';
import { openAiPageOf } from '../http/page.ts';
import { unixSecondsOf } from '../../base/isoTime.ts';
import type { BatchRow } from '../../db/batches/batches.ts';
import { usdOf } from '../../db/money.ts';

const time = z.int().nullable().describe('Seconds since 1970.');

export const BatchAnswer = z.object({
  id: z.string(),
  object: z.literal('batch'),
  endpoint: z.string(),
  errors: z
    .object({
      object: z.literal('list'),
      data: z.array(
        z.object({
          code: z.string(),
          line: z.int().nullable().describe('The line of the file, from 1; null for the file as a whole.'),
          message: z.string(),
          param: z.string().nullable(),
        }),
      ),
    })
    .nullable()
    .describe('Why the file could not be run: the first thousand errors.'),
  input_file_id: z.string(),
  completion_window: z.string(),
  status: z.enum([
    'validating',
    'failed',
    'in_progress',
    'finalizing',
    'completed',
    'expired',
    'cancelling',
    'cancelled',
  ]),
  output_file_id: z.string().nullable(),
  error_file_id: z.string().nullable(),
  created_at: z.int(),
  in_progress_at: time,
  expires_at: time,
  finalizing_at: time,
  completed_at: time,
  failed_at: time,
  expired_at: time,
  cancelling_at: time,
  cancelled_at: time,
  request_counts: z.object({ total: z.int(), completed: z.int(), failed: z.int() }),
  usage: z.object({
    input_tokens: z.int(),
    input_tokens_details: z.object({ cached_tokens: z.int() }),
    output_tokens: z.int(),
    output_tokens_details: z.object({ reasoning_tokens: z.int() }),
    total_tokens: z.int(),
    cost: z.number().describe('What its answered lines cost so far, in US dollars.'),
  }),
  estimate: z
    .object({
      max_cost: z
        .number()
        .describe(
          'What its lines cost at most, in US dollars: with their whole prompts and as much output as allowed. Earlier items that a line refers to are not in it.',
        ),
    })
    .nullable()
    .describe('Known once the file is checked.'),
  metadata: z.record(z.string(), z.string()).nullable(),
});

export const BatchListAnswer = openAiPageOf(BatchAnswer);

/** A batch in OpenAI's form. */
export function presentBatch(batch: BatchRow): z.infer<typeof BatchAnswer> {
  const endedAs = (status: BatchRow['status']) => (batch.status === status ? secondsOf(batch.endedAt) : null);
  return {
    id: batch.id,
    object: 'batch',
    endpoint: batch.endpoint,
    errors: batch.errors && { object: 'list', data: batch.errors },
    input_file_id: batch.inputFileId,
    completion_window: '24h',
    status: batch.status,
    // Their ids are chosen before they are written.
    output_file_id: batch.endedAt && batch.outputFileId,
    error_file_id: batch.endedAt && batch.errorFileId,
    created_at: unixSecondsOf(batch.createdAt),
    in_progress_at: secondsOf(batch.inProgressAt),
    expires_at: secondsOf(batch.expiresAt),
    finalizing_at: secondsOf(batch.finalizingAt),
    completed_at: endedAs('completed'),
    failed_at: endedAs('failed'),
    expired_at: endedAs('expired'),
    cancelling_at: secondsOf(batch.cancellingAt),
    cancelled_at: endedAs('cancelled'),
    request_counts: { total: batch.total, completed: batch.completed, failed: batch.failed },
    usage: {
      input_tokens: batch.inputTokens,
      input_tokens_details: { cached_tokens: batch.cachedTokens },
      output_tokens: batch.outputTokens,
      output_tokens_details: { reasoning_tokens: batch.reasoningTokens },
      total_tokens: batch.inputTokens + batch.outputTokens,
      cost: usdOf(batch.costNanos),
    },
    estimate: batch.worstCaseNanos === null ? null : { max_cost: usdOf(batch.worstCaseNanos) },
    metadata: batch.metadata,
  };
}

const secondsOf = (time: Date | null): number | null => time && unixSecondsOf(time);
