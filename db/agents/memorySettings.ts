import { z } from 'zod';
import { MEMORY_DAYS_MAX } from '../memories/memories.ts';

/** The members about what an agent remembers of its callers' users, as drafts and versions check them. */
export const memorySettings = {
  memory_days: z
    .int()
    .min(1)
    .max(MEMORY_DAYS_MAX)
    .nullish()
    .describe('For how many days the tool `remember` keeps a memory; until it is deleted when null.'),
};
