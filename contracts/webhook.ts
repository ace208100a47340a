/** The workflow of one event for one endpoint, and the signal that requests a redelivery. */
export const WEBHOOK_WORKFLOW = 'webhook';
export const DELIVER_AGAIN_SIGNAL = 'deliverAgain';
export type WebhookInput = { eventId: string; endpointId: string };
export const webhookIdOf = ({ eventId, endpointId }: WebhookInput): string => `webhook/${eventId}/${endpointId}`;

/** Requests to endpoints have a separate queue, so that slow endpoints do not delay runs. */
export const WEBHOOK_TASK_QUEUE = 'ledgerline-webhooks';

/** The wait of a delivery until its next attempt; null: there is none. */
export type WebhookStep = { delayMs: number | null };
