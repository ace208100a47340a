import { z } from 'zod';
import { RETENTION_DAYS, sizeText } from '../../base/limits.ts';
import { FEEDS_MAX } from '../../db/eventStreams/followWorkspaces.ts';
import { ROTATION_HOURS } from '../../db/sealing/signingSecrets.ts';
import { ENDPOINTS_MAX } from '../../db/webhooks/endpoints.ts';
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
  EventStreamQuery,
  NewEndpointBody,
  RedeliveryBody,
} from './webhookSchema.ts';
import {
  CreatedEndpoint,
  DeletedEndpoint,
  Endpoint,
  ListedDeliveryShape,
  Redelivery,
  secret,
} from './webhookAnswers.ts';

const TAG = 'Webhooks';

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
    description:
      'Events are posted to it as JSON, signed as Standard Webhooks say; the body is at most ' +
      `${sizeText(WEBHOOK_BYTES_MAX)}. The secret is in this answer and nowhere else. At most ${ENDPOINTS_MAX} ` +
      `for each workspace. ${TYPES}`,
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
    description:
      `The new secret is in this answer and nowhere else. For ${ROTATION_HOURS} hours each delivery has a ` +
      'signature of the earlier one too, so that a receiver can change it without a gap.',
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
  delivery: {
    tag: TAG,
    summary: 'Read a delivery of a webhook endpoint',
    description: 'With each attempt and its answer, as the list has it.',
    answer: { id: 'ListedWebhookDelivery', schema: ListedDeliveryShape },
  },
  stream: {
    tag: 'Events',
    summary: 'Follow the events of the workspace',
    description:
      'A stream of server-sent events: those that webhooks deliver, each once and in order, with the same bodies, within about a second. It ' +
      'begins with what happens after the request, or after the event with the id in the header `Last-Event-ID`, without a gap, ' +
      `for ${RETENTION_DAYS} days; \`0\` is before the oldest one kept. It does not end by itself: reconnect with the last id when the connection is lost. At most ` +
      `${FEEDS_MAX} streams of a workspace at each process of the API, and as many of a key as its concurrency limit: 429 names the limit.`,
    query: EventStreamQuery,
    headers: headers.RESUME,
    answer: EventObject,
    answerHeaders: {
      'last-event-id': 'After which event it begins: for a reader that is cut off before the first one.',
    },
    stream: { when: 'The events, as a stream.', event: EventObject },
    errors: [400, 410, 503],
  },
  event: {
    tag: 'Events',
    summary: 'Read an event',
    description:
      `Kept for ${RETENTION_DAYS} days. With the scope \`manage\` any event, with \`publisher\` those of agents and payouts, with ` +
      '`agents` those of runs.',
    answer: EventObject,
  },
  redeliver: {
    tag: 'Events',
    summary: 'Deliver an event again',
    description:
      'Also one that was delivered before. It has the same id. Answers with the deliveries that begin: several requests at ' +
      'once may be one attempt, of which `merged` tells.',
    input: { id: 'Redelivery', schema: RedeliveryBody, example: {}, isOptional: true },
    answer: {
      id: 'WebhookDeliveryList',
      schema: z.object({ object: z.literal('list'), data: z.array(Redelivery) }),
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
