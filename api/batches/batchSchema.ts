import { z } from 'zod';
import { isStorable } from '../../base/json.ts';
import { fileNotFound } from '../../db/files/upload.ts';
import { BATCH_ENDPOINTS, COMPLETION_HOURS, endpointOf } from '../../db/batches/batches.ts';
import { metadata, refuseSurplusMetadata } from '../../calls/text/parameters/parameters.ts';
import { invalidValue } from '../../base/errors/invalidRequest.ts';
import { strictBody } from '../../calls/text/parameters/strictBody.ts';

const SECONDS_MIN = 3_600;
/** The default, and the most that a caller may set. */
const OUTPUT_SECONDS_MAX = 30 * 86_400;

/** Body of `POST /batches`. */
export const BatchInput = z.strictObject({
  input_file_id: z.string().min(1).max(200).describe('A file of the purpose `batch`.'),
  endpoint: z
    .string()
    .describe(`The route of every line: ${BATCH_ENDPOINTS.join(', ')}. The prefix \`/textapi\` may be before it.`),
  completion_window: z.literal(`${COMPLETION_HOURS}h`),
  metadata: metadata.optional(),
  output_expires_after: z
    .strictObject({
      anchor: z.literal('created_at'),
      seconds: z.int().min(SECONDS_MIN).max(OUTPUT_SECONDS_MAX),
    })
    .optional()
    .describe('How long the files of results are kept. Default: 30 days.'),
});

/** A valid order of a batch. */
export interface BatchOrder {
  inputFileId: string;
  endpoint: string;
  metadata: Record<string, string> | null;
  outputSeconds: number;
}

const parse = strictBody(BatchInput);

/** Checks the body of `POST /batches`; throws `InvalidRequest`. */
export function parseBatch(body: unknown): BatchOrder {
  const { input_file_id: inputFileId, endpoint, metadata, output_expires_after: kept } = parse(body);
  if (!endpointOf(endpoint))
    throw invalidValue('endpoint', `Invalid 'endpoint': expected one of ${BATCH_ENDPOINTS.join(', ')}.`);
  refuseSurplusMetadata(metadata);
  if (
    !Object.entries(metadata ?? {})
      .flat()
      .every(isStorable)
  )
    throw invalidValue('metadata', "Invalid 'metadata': a text holds no NUL and no half of a surrogate pair.");
  if (!isStorable(inputFileId)) throw fileNotFound(inputFileId, 'input_file_id');
  return { inputFileId, endpoint, metadata: metadata ?? null, outputSeconds: kept?.seconds ?? OUTPUT_SECONDS_MAX };
}

/** Query of `GET /batches`. */
export const BatchListQuery = z.object({
  after: z.string().min(1).max(500).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
