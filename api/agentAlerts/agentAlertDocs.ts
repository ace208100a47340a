import { AGENT_ALERTS_MAX } from '../../db/agentAlerts/agentAlerts.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import * as headers from '../http/documentedHeaders.ts';
import {
  AgentAlertAnswer,
  AgentAlertChangeBody,
  AgentAlertList,
  AgentAlertsQuery,
  DeletedAgentAlert,
  NewAgentAlertBody,
} from './agentAlertSchema.ts';

const TAG = 'Published runs';
const ALERT = { id: 'PublisherAlert', schema: AgentAlertAnswer };

/** Documentation of alerts on agents. */
export const agentAlertDocs = {
  list: {
    tag: TAG,
    summary: 'List alerts on agents',
    description: 'Each with what it watches now.',
    query: AgentAlertsQuery,
    answer: { id: 'PublisherAlertList', schema: AgentAlertList },
  },
  create: {
    tag: TAG,
    summary: 'Create an alert on an agent',
    description:
      'Callers’ runs of the agent are checked once a minute. When too many have failed, the event `agent.failing` and a mail tell of ' +
      'it, with the most frequent errors; `agent.recovered` when they are below four fifths of the threshold again. At most ' +
      `${AGENT_ALERTS_MAX} for each workspace.`,
    input: {
      id: 'NewPublisherAlert',
      schema: NewAgentAlertBody,
      example: { agent_id: 'agent_1', type: 'failure_rate', threshold: 20, window_minutes: 60 },
    },
    headers: headers.ONCE,
    answer: ALERT,
    statuses: [201],
    errors: [404],
  },
  retrieve: { tag: TAG, summary: 'Read an alert on an agent', answer: ALERT },
  change: {
    tag: TAG,
    summary: 'Change an alert on an agent',
    description: 'Changes what is sent.',
    input: { id: 'PublisherAlertChange', schema: AgentAlertChangeBody, example: { threshold: 10 } },
    answer: ALERT,
  },
  remove: {
    tag: TAG,
    summary: 'Delete an alert on an agent',
    answer: { id: 'DeletedPublisherAlert', schema: DeletedAgentAlert },
  },
} satisfies Record<string, RouteDoc>;
