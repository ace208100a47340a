/** Types of events that webhooks deliver, and when each happens. */
export const WEBHOOK_EVENT_TYPES = {
  'run.requires_action': 'A run waits for an answer or a higher limit.',
  'run.completed': 'A run ended with its result.',
  'run.failed': 'A run failed.',
  'run.cancelled': 'A run was cancelled.',
  'run.limit_reached': 'A run ended at one of its limits.',
  'schedule.paused': 'The platform paused a schedule, because its runs cannot be created.',
  'batch.completed': 'A batch ended, and its output is ready.',
  'batch.failed': 'The input of a batch was not valid.',
  'batch.expired': 'A batch did not end within its completion window; what was ready is in its output.',
  'batch.cancelled': 'A batch was cancelled; what was ready is in its output.',
  'deployment.approved': 'A submission was approved and is public.',
  'deployment.changes_requested': 'A reviewer asks for changes.',
  'deployment.rejected': 'A submission was rejected.',
  'deployment.withdrawn': 'A submission was withdrawn.',
  'deployment.suspended': 'A public version was suspended.',
  'deployment.reinstated': 'A suspended version is public again.',
  'payout.sent': 'A transfer of earnings was sent.',
  'payout.rejected': 'A transfer of earnings was rejected: the money is among the earnings again.',
  'balance.low': 'The balance fell below the threshold.',
  'balance.depleted': 'The balance is used up: calls are refused.',
  'topup.succeeded': 'A payment is on the balance.',
  'topup.failed': 'An automatic payment was declined.',
  'key.created': 'A key was made.',
  'key.revoked': 'A key was revoked.',
  'key.spend_threshold': 'A key has spent 80 % of its limit in this period.',
  'key.limit_reached': 'A key has reached its spend limit: its calls are refused until the period ends.',
} as const;

/** What a test of an endpoint sends. */
export const TEST_EVENT_TYPE = 'webhook_endpoint.test';
