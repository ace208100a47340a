import { z } from 'zod';
import { REFUSAL_DAYS } from '../../db/accounting/refusals.ts';
import { PRODUCTS } from '../../db/catalog/products.ts';
import { listFormat } from '../http/csvList.ts';
import { pageQuery } from '../http/page.ts';
import { queryFlag } from '../body/queryFlag.ts';
import { timeRange } from '../body/timeRange.ts';

const filters = {
  model: z.string().min(1).max(200).optional(),
  key: z.string().min(1).max(100).optional().describe('The id or the prefix of a key.'),
  status: z
    .string()
    .regex(/^([1-5]\d\d|[1-5]xx|cancelled)$/, 'A status is a number as 200, a class as 4xx or 5xx, or cancelled.')
    .optional()
    .describe('`200`, a class (`4xx`, `5xx`), or `cancelled`: calls whose clients disconnected.'),
  route: z.string().min(1).max(200).optional().describe('As requests show it: `/v1/chat/completions`.'),
  product: z.enum(PRODUCTS).optional(),
  member: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('The id of a member, as usage by member shows it: calls from the console with their session.'),
  code: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(`The code of the answered error: \`rate_limit_exceeded\`. It is kept for ${REFUSAL_DAYS} days.`),
  content: queryFlag.optional().describe('Whether its prompt and answer are kept, as its key’s `log_days` says.'),
  project: z.string().min(1).max(100).optional().describe('The id of a project; `default` for the default one.'),
  ...timeRange,
};

/** Query of `GET /platform/v1/requests`. */
export const RequestsQuery = z.strictObject({ ...filters, ...pageQuery, format: listFormat });

/** Query of `GET /platform/v1/requests/totals`. */
export const RequestTotalsQuery = z.strictObject(filters);
