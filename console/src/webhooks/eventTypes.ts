import type { components } from '../api/openapi.d.ts';

export type EventType = Exclude<NonNullable<components['schemas']['NewWebhookEndpoint']['event_types']>[number], '*'>;

/** The types of events, with their subjects. A missing type does not compile. */
export const EVENT_TYPES: Record<EventType, 'Runs' | 'Batches' | 'Deployments' | 'Money' | 'Keys' | 'Workspace'> = {
  'run.requires_action': 'Runs',
  'run.completed': 'Runs',
  'run.failed': 'Runs',
  'run.cancelled': 'Runs',
  'run.limit_reached': 'Runs',
  'schedule.paused': 'Runs',
  'batch.completed': 'Batches',
  'batch.failed': 'Batches',
  'batch.expired': 'Batches',
  'batch.cancelled': 'Batches',
  'deployment.approved': 'Deployments',
  'deployment.changes_requested': 'Deployments',
  'deployment.rejected': 'Deployments',
  'deployment.withdrawn': 'Deployments',
  'deployment.suspended': 'Deployments',
  'deployment.reinstated': 'Deployments',
  'deployment.rollout_advanced': 'Deployments',
  'deployment.rollout_completed': 'Deployments',
  'deployment.rolled_back': 'Deployments',
  'agent.failing': 'Deployments',
  'agent.recovered': 'Deployments',
  'agent.run_shared': 'Deployments',
  'agent.price_increase': 'Money',
  'agent.taken_down': 'Runs',
  'agent.deprecated': 'Runs',
  'agent.restored': 'Runs',
  'agent.channel_moved': 'Deployments',
  'balance.low': 'Money',
  'balance.depleted': 'Money',
  'payout.sent': 'Money',
  'payout.rejected': 'Money',
  'invoice.issued': 'Money',
  'alert.spend_reached': 'Money',
  'alert.runway_short': 'Money',
  'topup.succeeded': 'Money',
  'topup.failed': 'Money',
  'audit.entry_recorded': 'Workspace',
  'workspace.erasure_ordered': 'Workspace',
  'workspace.erasure_cancelled': 'Workspace',
  'key.created': 'Keys',
  'key.revoked': 'Keys',
  'key.spend_threshold': 'Keys',
  'key.limit_reached': 'Keys',
};

/** Whether events of a type concern who publishes agents. */
export const isOfPublisher = (type: string): boolean =>
  /^(deployment|payout)\.|^agent\.(failing|recovered|run_shared)$/.test(type);
