import { z } from 'zod';
import { KIB, RETENTION_DAYS, sizeText } from '../../base/limits.ts';
import { FAILING_DAYS_MAX } from '../../db/webhooks/attempts.ts';
import { ENDPOINTS_MAX, ROTATION_HOURS } from '../../db/webhooks/endpoints.ts';
import { WEBHOOK_EVENT_TYPES } from '../../db/events/eventTypes.ts';
import { WEBHOOK_BYTES_MAX } from '../../db/webhooks/webhookBody.ts';
import { pageOf, type RouteDoc } from '../http/documentedRoute.ts';
import * as headers from '../http/documentedHeaders.ts';
import { EventObject } from '../runs/runDocs.ts';
import {
  DeliveryListQuery,
  EndpointChangeBody,
  EndpointListQuery,
  EventListQuery,
  NewEndpointBody,
  RedeliveryBody,
} from './webhookSchema.ts';

const TAG = 'Webhooks';
const time = z.iso.datetime();

export const Endpoint = z.object({
  id: z.string(),
  object: z.literal('webhook_endpoint'),
  url: z.string(),
  event_types: z.array(z.string()).describe('`*`: all.'),
  description: z.string().nullable(),
  disabled: z.boolean(),
  disabled_reason: z
    .enum(['requested', 'gone', 'failing'])
    .nullable()
    .describe(`\`gone\`: it answered 410. \`failing\`: no attempt succeeded for ${FAILING_DAYS_MAX} days.`),
  disabled_at: time.nullable(),
  failing_since: time.nullable().describe('Since when no attempt has succeeded.'),
  previous_secret_expires_at: time.nullable().describe('Until when a secret from before a rotation signs too.'),
  created_at: time,
});

const secret = z.string().describe('The signing secret, shown this once: `whsec_` and 32 bytes in base64.');
const CreatedEndpoint = Endpoint.extend({
  secret: secret.nullable().describe('Shown this once. Null for a retry: rotate the secret to get another one.'),
});
const DeletedEndpoint = z.object({ id: z.string(), object: z.literal('webhook_endpoint'), deleted: z.literal(true) });

export const Delivery = z.object({
  id: z.string(),
  object: z.literal('webhook_delivery'),
  endpoint_id: z.string(),
  event_id: z.string().describe('The header `webhook-id` of each attempt.'),
  event_type: z.string(),
  status: z
    .enum(['pending', 'delivered', 'failed', 'cancelled'])
    .describe('`cancelled`: the endpoint was disabled or deleted before.'),
  attempt: z.int().describe('Attempts so far, since the last redelivery.'),
  next_try_at: time.nullable(),
  created_at: time,
});

export const ListedDeliveryShape = Delivery.extend({
  request_body: z.string().nullable().describe('What is sent. Null once the event is deleted.'),
  attempts: z.array(
    z.object({
      id: z.string(),
      response_status: z.int().nullable().describe('Null: there was no answer.'),
      response_body: z
        .string()
        .nullable()
        .describe(`The first ${sizeText(4 * KIB)} of the answer.`),
      error: z.string().nullable().describe('Why the attempt does not count as delivered.'),
      duration_ms: z.int(),
      created_at: time,
    }),
  ),
});

const ENDPOINT = { id: 'WebhookEndpoint', schema: Endpoint };
const TYPES = Object.entries(WEBHOOK_EVENT_TYPES)
  .map(([type, when]) => `\`${type}\`: ${when}`)
  .join(' ');

/** Documentation of webhook endpoints. */
export const webhookDocs = {
  list: {
    tag: TAG,
    summary: 'List webhook endpoints',
    query: EndpointListQuery,
    answer: { id: 'WebhookEndpointPage', schema: pageOf(Endpoint) },
  },
  create: {
    tag: TAG,
    summary: 'Create a webhook endpoint',
    description: `Events are posted to it as JSON, signed as Standard Webhooks say; the body is at most ${sizeText(WEBHOOK_BYTES_MAX)}. The secret is in this answer and nowhere else. At most ${ENDPOINTS_MAX} for each workspace. ${TYPES}`,
    input: {
      id: 'NewWebhookEndpoint',
      schema: NewEndpointBody,
      example: { url: 'https://example.com/webhooks', event_types: ['run.completed', 'run.failed', 'balance.low'] },
    },
    headers: headers.ONCE,
    answer: { id: 'CreatedWebhookEndpoint', schema: CreatedEndpoint },
    statuses: [201],
    errors: [409, 503],
  },
  retrieve: { tag: TAG, summary: 'Read a webhook endpoint', answer: ENDPOINT },
  change: {
    tag: TAG,
    summary: 'Change a webhook endpoint',
    description: 'Changes what is sent. Disabling it ends its waiting deliveries; enabling it does not send them.',
    input: { id: 'WebhookEndpointChange', schema: EndpointChangeBody, example: { disabled: false } },
    answer: ENDPOINT,
  },
  remove: {
    tag: TAG,
    summary: 'Delete a webhook endpoint',
    description: 'Its waiting deliveries end.',
    answer: { id: 'DeletedWebhookEndpoint', schema: DeletedEndpoint },
  },
  rotate: {
    tag: TAG,
    summary: 'Rotate the secret of a webhook endpoint',
    description: `The new secret is in this answer and nowhere else. For ${ROTATION_HOURS} hours each delivery has a signature of the earlier one too, so that a receiver can change it without a gap.`,
    answer: { id: 'RotatedWebhookEndpoint', schema: Endpoint.extend({ secret }) },
    errors: [503],
  },
  test: {
    tag: TAG,
    summary: 'Send a test event to a webhook endpoint',
    description: 'Answers with the event, which is sent once. Its delivery is in the list of deliveries.',
    answer: EventObject,
    statuses: [202],
    errors: [409],
  },
  deliveries: {
    tag: TAG,
    summary: 'List the deliveries of a webhook endpoint',
    description: `Newest first, with each attempt and its answer. Kept for ${RETENTION_DAYS} days.`,
    query: DeliveryListQuery,
    answer: { id: 'WebhookDeliveryPage', schema: pageOf(ListedDeliveryShape) },
  },
  event: {
    tag: 'Events',
    summary: 'Read an event',
    description: `Kept for ${RETENTION_DAYS} days.`,
    answer: EventObject,
  },
  redeliver: {
    tag: 'Events',
    summary: 'Deliver an event again',
    description: 'Also one that was delivered before. It has the same id. Answers with the deliveries that begin.',
    input: { id: 'Redelivery', schema: RedeliveryBody, example: {}, isOptional: true },
    answer: {
      id: 'WebhookDeliveryList',
      schema: z.object({ object: z.literal('list'), data: z.array(Delivery) }),
    },
    statuses: [202],
    errors: [409],
  },
  events: {
    tag: 'Events',
    summary: 'List events',
    description: `Those that webhooks deliver, newest first. Kept for ${RETENTION_DAYS} days.`,
    query: EventListQuery,
    answer: { id: 'WorkspaceEventPage', schema: pageOf(EventObject.schema) },
  },
} satisfies Record<string, RouteDoc>;
