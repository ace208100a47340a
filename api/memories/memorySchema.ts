import { z } from 'zod';
import { agentName } from '../../orders/order.ts';
import { user } from '../../orders/stateOfOrder.ts';
import { pageOf } from '../http/documentedRoute.ts';
import { pageQuery } from '../http/page.ts';

const ofUser = user.meta({ description: '`user` of the runs.', examples: ['customer-42'] });
const ofAgent = agentName.describe('`<namespace>/<slug>`');

export const MemoryListQuery = z.strictObject({
  agent: ofAgent.optional(),
  user: ofUser.optional(),
  query: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Memories with one of these words at least. Only with `user`.'),
  ...pageQuery,
});

export const MemoryDeletionQuery = z.strictObject({ user: ofUser, agent: ofAgent.optional() });

export const MemoryAnswer = z.object({
  id: z.string(),
  object: z.literal('memory'),
  agent: z.string(),
  user: z.string(),
  project_id: z.string().nullable().describe('The project of the run; null: the default one.'),
  text: z.string(),
  run_id: z.string().describe('The run that remembered it.'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().describe('When a run last remembered the same.'),
  expires_at: z.iso.datetime().nullable().describe('Null: it stays until it is deleted.'),
});

export const MemoryPage = pageOf(MemoryAnswer);

export const DeletedMemory = z.object({ id: z.string(), object: z.literal('memory'), deleted: z.literal(true) });

export const DeletedMemories = z.object({
  object: z.literal('memory.deletion'),
  user: z.string(),
  agent: z.string().nullable(),
  deleted: z.int().describe('How many were deleted.'),
});
