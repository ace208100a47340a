import { z } from 'zod';
import { pageQuery } from '../http/page.ts';
import { timeRange } from '../body/timeRange.ts';

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
