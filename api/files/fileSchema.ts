import { z } from 'zod';

const cursor = z.string().min(1).max(500).optional();

/** In OpenAI's order; `cursor` continues as `after` does. */
export const FileListQuery = z
  .object({
    purpose: z.string().max(64).optional(),
    limit: z.coerce.number().int().min(1).max(10_000).optional(),
    order: z.enum(['asc', 'desc']).default('desc'),
    after: cursor,
    cursor,
  })
  .refine(({ after, cursor }) => after === undefined || cursor === undefined, {
    path: ['cursor'],
    message: 'It says what `after` says: send one of them.',
  });
