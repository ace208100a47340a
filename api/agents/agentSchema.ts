import { z } from 'zod';
import { pageQuery } from '../http/page.ts';
import { AGENT_SORTS } from '../../db/agents/publicAgents.ts';

export const PublicAgentQuery = z.strictObject({
  search: z.string().trim().min(1).max(200).optional(),
  category: z.string().max(100).optional(),
  max_cost_usd: z.coerce.number().min(0).optional(),
  sort: z.enum(AGENT_SORTS).default('newest'),
  ...pageQuery,
});
