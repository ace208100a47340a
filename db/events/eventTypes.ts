import type { LAST_EVENT_TYPES } from '../entities/runStates.ts';

/** The types of a run's events. `api/runs/eventSchemas.ts` says when each occurs, and what its data are. */
export type RunEventType =
  | 'run.created'
  | 'run.queued'
  | 'run.in_progress'
  | 'run.requires_action'
  | `run.step.${'reused' | 'started' | 'retrying' | 'completed' | 'failed'}`
  | 'run.reasoning.delta'
  | 'run.progress'
  | 'run.tool.progress'
  | 'run.output_text.delta'
  | 'run.output_text.done'
  | 'run.output_file.created'
  | 'run.output_data.done'
  | 'run.state.updated'
  | 'run.usage.updated'
  | 'run.budget.warning'
  | 'run.cancelling'
  | (typeof LAST_EVENT_TYPES)[number];

/** Events of runs that webhooks deliver: their questions and their ends. */
export const RUN_EVENT_TYPES = {
  'run.requires_action': 'A run waits for an answer or a higher limit.',
  'run.completed': 'A run ended with its result.',
  'run.failed': 'A run failed.',
  'run.cancelled': 'A run was cancelled.',
  'run.limit_reached': 'A run ended at one of its limits.',
} as const satisfies Record<Extract<RunEventType, 'run.requires_action' | (typeof LAST_EVENT_TYPES)[number]>, string>;

const PLATFORM_EVENT_TYPES = {
  'schedule.paused': 'The platform paused a schedule, because its runs cannot be created.',
  'batch.completed': 'A batch ended, and its output is ready.',
  'batch.failed': 'The input of a batch was not valid.',
  'batch.expired': 'A batch did not end within its completion window; what was ready is in its output.',
  'batch.cancelled': 'A batch was cancelled; what was ready is in its output.',
  'deployment.approved':
    'A submission was approved and is public, or `scheduled` until the notice of its price is over.',
  'deployment.changes_requested': 'A reviewer asks for changes.',
  'deployment.rejected': 'A submission was rejected.',
  'deployment.withdrawn': 'A submission was withdrawn.',
  'deployment.suspended': 'A public version was suspended.',
  'deployment.reinstated': 'A suspended version is public again.',
  'deployment.rollout_advanced': 'A version that is rolled out has passed a step: more new sessions get it.',
  'deployment.rollout_completed': 'A version that was rolled out is what runs get that name no version.',
  'deployment.rolled_back': 'A version that was rolled out was taken back, or a former version is public again.',
  'agent.failing': 'An agent of the workspace fails, by an alert that its publisher set.',
  'agent.recovered': 'An agent that failed by an alert does so no longer.',
  'agent.run_shared': 'A caller lets the publisher read a run of its agent.',
  'agent.price_increase': 'An agent that the workspace ran lately gets a more expensive version.',
  'agent.channel_moved': 'A channel of an agent of the workspace points at another version, or will.',
  'agent.taken_down': 'An agent that the workspace ran lately was taken down: new orders are refused.',
  'agent.deprecated': 'An agent that the workspace ran lately will stop taking orders.',
  'agent.restored': 'An agent that was taken down or deprecated takes orders again.',
  'payout.sent': 'A transfer of earnings was sent.',
  'payout.rejected': 'A transfer of earnings was rejected: the money is among the earnings again.',
  'balance.low': 'The balance fell below the threshold.',
  'balance.depleted': 'The balance is used up: calls are refused.',
  'alert.spend_reached': 'A workspace or a key has spent a part of a budget that someone set.',
  'alert.runway_short': 'The balance lasts less long than someone wants to be told of.',
  'invoice.issued': 'The invoice of a month was issued.',
  'topup.succeeded': 'A payment is on the balance.',
  'topup.failed': 'A payment was declined: an automatic one, or one that a bank had still to make.',
  'audit.entry_recorded':
    'Something was done that the audit of the workspace keeps: recorded while an endpoint names this type.',
  'workspace.erasure_ordered': 'The workspace will be erased: its keys have ended.',
  'workspace.erasure_cancelled': 'The workspace is not erased: the keys that the order ended work again.',
  'key.created': 'A key was made.',
  'key.revoked': 'A key was revoked.',
  'key.spend_threshold': 'A key has spent 80 % of its limit in this period.',
  'key.limit_reached': 'A key has reached its spend limit: its calls are refused until the period ends.',
} as const;

/** The types of those that concern who publishes agents. */
export const PUBLISHER_EVENT_TYPES: readonly string[] = Object.keys(PLATFORM_EVENT_TYPES).filter(
  (type) => /^(deployment|payout)\./.test(type) || /^agent\.(failing|recovered|run_shared)$/.test(type),
);

/** Types of events that webhooks deliver, and when each happens. */
export const WEBHOOK_EVENT_TYPES = { ...RUN_EVENT_TYPES, ...PLATFORM_EVENT_TYPES };

/** The event of an endpoint test. */
export const TEST_EVENT_TYPE = 'webhook_endpoint.test';

/** The types of events outside of runs. */
export type PlatformEventType =
  keyof typeof PLATFORM_EVENT_TYPES | typeof TEST_EVENT_TYPE | 'webhook_endpoint.disabled';

/** The types that members are told of by mail, too: `activities/billingMails.ts` has the words of each. */
const MAILED_EVENT_TYPES = [
  'balance.low',
  'balance.depleted',
  'alert.spend_reached',
  'alert.runway_short',
  'invoice.issued',
  'topup.failed',
  'agent.failing',
  'agent.price_increase',
  'agent.taken_down',
  'agent.deprecated',
  'agent.restored',
  'deployment.approved',
  'deployment.changes_requested',
  'deployment.rejected',
  'deployment.suspended',
  'webhook_endpoint.disabled',
  'workspace.erasure_ordered',
  'workspace.erasure_cancelled',
] as const satisfies PlatformEventType[];

export type MailedEventType = (typeof MAILED_EVENT_TYPES)[number];

export const isMailed = (type: PlatformEventType): type is MailedEventType =>
  (MAILED_EVENT_TYPES as readonly string[]).includes(type);

/** Groups of a run's events that a reader may choose from, with the types of each. Other types are always sent. */
export const EVENT_GROUPS = {
  steps: [
    'run.step.started',
    'run.step.reused',
    'run.step.retrying',
    'run.step.completed',
    'run.step.failed',
    'run.progress',
  ],
  deltas: ['run.output_text.delta'],
  reasoning: ['run.reasoning.delta'],
  cost: ['run.usage.updated', 'run.budget.warning'],
} as const satisfies Record<string, RunEventType[]>;

export type EventGroup = keyof typeof EVENT_GROUPS;
