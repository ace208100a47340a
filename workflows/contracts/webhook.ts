/** The workflow of one event for one endpoint, and the signal that it is to be delivered again. */
export const WEBHOOK_WORKFLOW = 'webhook';
export const DELIVER_AGAIN_SIGNAL = 'deliverAgain';
export type WebhookInput = { eventId: string; endpointId: string };
export const webhookIdOf = ({ eventId, endpointId }: WebhookInput): string => `webhook/${eventId}/${endpointId}`;

/** Requests to endpoints have a queue of their own, so that slow ones do not hold up runs. */
export const WEBHOOK_TASK_QUEUE = 'ledgerline-webhooks';

/** How long a delivery waits until its next attempt; null: there is none. */
export type WebhookStep = { delayMs: number | null };
