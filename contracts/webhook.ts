import { ONE_AT_A_TIME, shareOf, workspaceAttribute } from './start.ts';

/** The workflow of one event for one endpoint, and the signal that requests a redelivery. */
export const WEBHOOK_WORKFLOW = 'webhook';
export const DELIVER_AGAIN_SIGNAL = 'deliverAgain';
export type WebhookInput = { eventId: string; endpointId: string };
export const webhookIdOf = ({ eventId, endpointId }: WebhookInput): string => `webhook/${eventId}/${endpointId}`;

// Where the server knows priorities, after runs; and a flood of deliveries, with all its later attempts, after those of other endpoints.
const PRIORITY_KEYS = { usual: 4, flood: 5 } as const;

/** Options that start the delivery of an event, one at a time. `pace`: whether the endpoint gets few at the moment, or a flood. */
export const webhookStartOf = (
  { workspaceId, ...input }: WebhookInput & { workspaceId: string },
  pace: keyof typeof PRIORITY_KEYS,
) => ({
  ...ONE_AT_A_TIME,
  workflowId: webhookIdOf(input),
  args: [input] as [WebhookInput],
  staticSummary: `${input.eventId} to ${input.endpointId}`,
  typedSearchAttributes: [workspaceAttribute(workspaceId)],
  priority: { priorityKey: PRIORITY_KEYS[pace], ...shareOf(workspaceId) },
});

/** Requests to endpoints have a separate queue, so that slow endpoints do not delay runs. */
export const WEBHOOK_TASK_QUEUE = 'ledgerline-webhooks';

/** The wait of a delivery until its next attempt; null: there is none. */
export type WebhookStep = { delayMs: number | null };
