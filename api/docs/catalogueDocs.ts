import type { z } from 'zod';
import { AgentCard, AgentQuality, PublicAgent } from './catalogueAnswers.ts';
import type { RouteDoc } from './documentedRoute.ts';
import { pageOf } from './pageOf.ts';

const TAG = 'Agents';

/** What callers are told about the agents that everybody may run. `listQuery` is the schema that checks the query. */
export function catalogueDocs(listQuery: z.ZodObject) {
  return {
    listAgents: {
      tag: TAG,
      summary: 'Find agents',
      description:
        'Those that everybody may run: by words in name and description, category and what one run may cost.',
      query: listQuery,
      answer: { id: 'AgentPage', schema: pageOf(PublicAgent) },
      errors: [422],
    },
    retrieveAgent: {
      tag: TAG,
      summary: 'Read an agent',
      description: 'Its published version, what it takes and gives, its prices and what happens with data.',
      answer: { id: 'Agent', schema: PublicAgent },
      errors: [404, 422],
    },
    retrieveAgentQuality: {
      tag: TAG,
      summary: 'Read how an agent has done',
      description: 'From the runs of the last thirty days that have ended.',
      answer: AgentQuality,
      errors: [404, 422],
    },
    retrieveAgentCard: {
      tag: TAG,
      summary: 'Read an agent’s A2A card',
      description: 'The AgentCard of the A2A protocol, version 1.0: for agents that look for others to work with.',
      answer: AgentCard,
      errors: [404, 422],
    },
  } satisfies Record<string, RouteDoc>;
}
