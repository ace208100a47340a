import { z } from 'zod';
import { KIB, sizeText } from '../../base/limits.ts';
import { FAILING_DAYS_MAX } from '../../db/webhooks/attempts.ts';

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

export const secret = z.string().describe('The signing secret, shown this once: `whsec_` and 32 bytes in base64.');

export const CreatedEndpoint = Endpoint.extend({
  secret: secret.nullable().describe('Shown this once. Null for a retry: rotate the secret to get another one.'),
});

export const DeletedEndpoint = z.object({
  id: z.string(),
  object: z.literal('webhook_endpoint'),
  deleted: z.literal(true),
});

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

export const Redelivery = Delivery.extend({
  merged: z
    .boolean()
    .describe(
      '`true`: the attempt of an earlier request was still due, so one attempt may serve both. `false`: it has its own.',
    ),
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
