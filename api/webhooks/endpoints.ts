import type { z } from 'zod';
import { liveSecrets } from '../../db/sealing/signingSecrets.ts';
import {
  updateEndpoint,
  insertEndpoint,
  removeEndpoint,
  ENDPOINTS_MAX,
  findEndpoint,
  readEndpoints,
  rotateSecret,
  type EndpointChoice,
  type EndpointRow,
} from '../../db/webhooks/endpoints.ts';
import { insertTestEvent } from '../../db/webhooks/deliveries.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { pathId } from '../body/parseWith.ts';
import { conflict, notFound } from '../../base/errors/requestErrors.ts';
import { webhooksUnavailable } from '../../base/errors/serviceErrors.ts';
import { makeOnce } from '../guard/idempotency.ts';
import { answerPage, type PageInput } from '../http/page.ts';
import type { Services } from '../services.ts';
import { checkManages, checkTypes, seesEndpoint, typesRead } from './publisherWebhooks.ts';
import { checkUrl, shownTypes, storedTypes, type EndpointChangeBody, type NewEndpointBody } from './webhookSchema.ts';
import type { Endpoint } from './webhookAnswers.ts';

/** `GET /platform/v1/webhook_endpoints`: the endpoints of the workspace, newest first, in pages. */
export function listWebhookEndpoints({ db, cursors }: Services): Handler<PageInput> {
  return async (ctx) => {
    const rows = db.read(ctx.state.key.workspaceId);
    await answerPage(ctx, cursors, {
      list: 'webhook_endpoints',
      read: (page) => readEndpoints(rows, page, typesRead(ctx)),
      present,
    });
  };
}

/**
 * `POST /platform/v1/webhook_endpoints`: creates an endpoint and shows its secret only in this answer. A retry with the same
 * `Idempotency-Key` finds the endpoint and answers without the secret. Throws 409 `too_many_webhook_endpoints`.
 */
export function createWebhookEndpoint(services: Services): Handler<z.output<typeof NewEndpointBody>> {
  const { db } = services;
  return async (ctx) => {
    const input = ctx.state.input;
    const { url, eventTypes = [], description = null, disabled = false } = await choiceOf(services, input);
    checkTypes(ctx, eventTypes);
    const rows = db.write(ctx.state.key.workspaceId);
    await makeOnce(ctx, db, { prefix: 'we', request: input, key: ctx.req.headers['idempotency-key'] }, async (id) => {
      const chosen = { url: url!, eventTypes, description, disabled };
      const made = await insertEndpoint(rows, { id, by: actorOf(ctx), ...chosen });
      if (made === 'too_many') throw tooMany();
      if (made === 'no_worker') throw webhooksUnavailable();
      if (made.secret === null) ctx.set('idempotent-replayed', 'true');
      ctx.status = 201;
      ctx.body = { ...present(made.endpoint), secret: made.secret };
    });
  };
}

/**
 * `GET /platform/v1/webhook_endpoints/{endpoint_id}`: one endpoint. Throws 404 `webhook_endpoint_not_found`, like all routes of an
 * endpoint.
 */
export function retrieveWebhookEndpoint(services: Services): Handler {
  return async (ctx) => {
    ctx.body = present(await endpointOf(ctx, services));
  };
}

/** `PATCH /platform/v1/webhook_endpoints/{endpoint_id}`: changes the sent members. Enabling it clears its failure. */
export function changeWebhookEndpoint(services: Services): Handler<z.output<typeof EndpointChangeBody>> {
  return async (ctx) => {
    const { id } = await managedEndpointOf(ctx, services);
    const change = await choiceOf(services, ctx.state.input);
    if (change.eventTypes) checkTypes(ctx, change.eventTypes);
    const rows = services.db.write(ctx.state.key.workspaceId);
    const changed = await updateEndpoint(rows, id, { change, by: actorOf(ctx) });
    if (!changed) throw endpointNotFound(id);
    ctx.body = present(changed);
  };
}

/** `DELETE /platform/v1/webhook_endpoints/{endpoint_id}`: deletes it, and ends its pending deliveries. */
export function deleteWebhookEndpoint(services: Services): Handler {
  return async (ctx) => {
    const { id } = await managedEndpointOf(ctx, services);
    if (!(await removeEndpoint(services.db.write(ctx.state.key.workspaceId), id, actorOf(ctx))))
      throw endpointNotFound(id);
    ctx.body = { id, object: 'webhook_endpoint', deleted: true };
  };
}

/**
 * `POST /platform/v1/webhook_endpoints/{endpoint_id}/rotate_secret`: a new secret, shown only here; the earlier secret also signs for a
 * day.
 */
export function rotateWebhookSecret(services: Services): Handler {
  return async (ctx) => {
    const { id } = await managedEndpointOf(ctx, services);
    const rotated = await rotateSecret(services.db.write(ctx.state.key.workspaceId), id, actorOf(ctx));
    if (rotated === 'not_found') throw endpointNotFound(id);
    if (rotated === 'no_worker') throw webhooksUnavailable();
    ctx.body = { ...present(rotated.endpoint), secret: rotated.secret };
  };
}

/** `POST /platform/v1/webhook_endpoints/{endpoint_id}/test`: sends a test event, once. Throws 409 `webhook_endpoint_disabled`. */
export function testWebhookEndpoint(services: Services): Handler {
  return async (ctx) => {
    const endpoint = await managedEndpointOf(ctx, services);
    if (endpoint.disabledAt !== null) throw endpointDisabled();
    ctx.status = 202;
    ctx.body = await insertTestEvent(services.db.write(ctx.state.key.workspaceId), endpoint);
  };
}

/** The endpoint in the path, or the given one, which the caller may change. Throws 404 `webhook_endpoint_not_found`, and 403. */
export async function managedEndpointOf(...asked: Parameters<typeof endpointOf>): Promise<EndpointRow> {
  const endpoint = await endpointOf(...asked);
  checkManages(asked[0], endpoint);
  return endpoint;
}

/** The endpoint in the path. Throws 404 `webhook_endpoint_not_found`. */
export async function endpointOf(ctx: Context, { db }: Pick<Services, 'db'>, id = pathId(ctx, 'endpoint_id')) {
  const endpoint = await findEndpoint(db.write(ctx.state.key.workspaceId), id);
  if (!endpoint || !seesEndpoint(ctx, endpoint)) throw endpointNotFound(id);
  return endpoint;
}

export const endpointDisabled = () =>
  conflict('webhook_endpoint_disabled', 'This endpoint is disabled. Enable it with {"disabled": false} first.');

const endpointNotFound = (id: string) =>
  notFound(`No webhook endpoint with the id '${id}'.`, 'webhook_endpoint_not_found');

const tooMany = () =>
  conflict(
    'too_many_webhook_endpoints',
    `A workspace has at most ${ENDPOINTS_MAX} webhook endpoints. Delete one that you no longer need.`,
  );

async function choiceOf(
  { config }: Services,
  { url, event_types, description, disabled }: z.output<typeof EndpointChangeBody>,
): Promise<Partial<EndpointChoice>> {
  const checked =
    url === undefined ? undefined : await checkUrl(url, { loopback: config.webhookLoopback, member: 'url' });
  return {
    ...(checked !== undefined && { url: checked }),
    ...(event_types !== undefined && { eventTypes: storedTypes(event_types) }),
    ...(description !== undefined && { description }),
    ...(typeof disabled === 'boolean' && { disabled }),
  };
}

function present(endpoint: EndpointRow): z.infer<typeof Endpoint> {
  const earlier = liveSecrets(endpoint.secrets).flatMap(({ expiresAt }) => expiresAt ?? []);
  return {
    id: endpoint.id,
    object: 'webhook_endpoint',
    url: endpoint.url,
    event_types: shownTypes(endpoint.eventTypes),
    description: endpoint.description,
    disabled: endpoint.disabledAt !== null,
    disabled_reason: endpoint.disabledReason,
    disabled_at: endpoint.disabledAt?.toISOString() ?? null,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    previous_secret_expires_at: earlier.toSorted().at(-1) ?? null,
    created_at: endpoint.createdAt.toISOString(),
  };
}
