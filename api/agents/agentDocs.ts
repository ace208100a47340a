import { QUALITY_DAYS } from '../../base/limits.ts';
import * as headers from '../http/documentedHeaders.ts';
import { type RouteDoc, pageOf } from '../http/documentedRoute.ts';
import { PublicAgentQuery } from './agentSchema.ts';
import { AgentAnswer, AgentQuality } from './agentAnswers.ts';

const TAG = 'Agents';

/** Documentation of public agents. */
export function agentDocs() {
  return {
    listAgents: {
      tag: TAG,
      summary: 'Find agents',
      description:
        'Public agents, filtered by words of the name and description, category and the most that one run may cost.',
      query: PublicAgentQuery,
      answer: { id: 'AgentPage', schema: pageOf(AgentAnswer) },
    },
    retrieveAgent: {
      tag: TAG,
      summary: 'Read an agent',
      description:
        'Its published version, inputs and outputs, prices and data policy; of a channel, as `/v1/agents/acme/poet@beta`, those of its version.',
      answer: { id: 'Agent', schema: AgentAnswer },
      answerHeaders: headers.DEPRECATED,
    },
    retrieveAgentQuality: {
      tag: TAG,
      summary: 'Read the quality of an agent',
      description:
        `From the runs of the last ${QUALITY_DAYS} days that have ended. It counts runs that callers started: no ` +
        'trials and tests, no reruns, none of the publisher’s own workspace, none that another agent started, ' +
        'and none with the rehearsal model.',
      answer: AgentQuality,
    },
  } satisfies Record<string, RouteDoc>;
}
