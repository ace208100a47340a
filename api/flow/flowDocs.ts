import { FLOW_RULES_MAX } from '../../db/runs/flow/rules.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import * as headers from '../http/documentedHeaders.ts';
import { DeletedFlowRule, FlowRuleAnswer, FlowRuleChangeBody, FlowRuleList, NewFlowRuleBody } from './flowSchema.ts';

const RULE = { id: 'FlowRule', schema: FlowRuleAnswer };

/** Documentation of flow rules. */
export const flowDocs = {
  list: {
    tag: 'Runs',
    summary: 'List flow rules',
    description: 'What the workspace wants of its runs of an agent: how many at once, and how many in a period.',
    answer: { id: 'FlowRuleList', schema: FlowRuleList },
  },
  create: {
    tag: 'Runs',
    summary: 'Create a flow rule',
    description:
      'It holds for runs ordered from now on, by every door and by schedules. Runs that an agent starts by `call_agent` belong to ' +
      `the run above them. One for each agent, at most ${FLOW_RULES_MAX} for each workspace.`,
    input: {
      id: 'NewFlowRule',
      schema: NewFlowRuleBody,
      example: {
        agent: 'ledgerline/writer',
        concurrency: { limit: 2, key: '/metadata/customer_id' },
        rate: { limit: 60, period_seconds: 60, when_exceeded: 'queue' },
      },
    },
    headers: headers.ONCE,
    answer: RULE,
    statuses: [201],
    errors: [404],
  },
  retrieve: { tag: 'Runs', summary: 'Read a flow rule', answer: RULE },
  change: {
    tag: 'Runs',
    summary: 'Change a flow rule',
    description:
      'Replaces what is sent. A new limit or period holds at once, also for runs that wait; a new key for runs ordered from now on.',
    input: { id: 'FlowRuleChange', schema: FlowRuleChangeBody, example: { concurrency: { limit: 5, key: null } } },
    answer: RULE,
  },
  remove: {
    tag: 'Runs',
    summary: 'Delete a flow rule',
    description: 'Runs that wait only for it start.',
    answer: { id: 'DeletedFlowRule', schema: DeletedFlowRule },
  },
} satisfies Record<string, RouteDoc>;
