import type { z } from 'zod';
import { listDeliveries, redeliver, type DeliveryRow, type ListedDelivery } from '../../db/webhooks/deliveries.ts';
import { readWorkspaceEvents } from '../../db/events/readWorkspaceEvents.ts';
import { webhookBody } from '../../db/webhooks/webhookBody.ts';
import { findEvent } from '../../db/events/readEvents.ts';
import type { Handler } from '../context.ts';
import { pathId } from '../body/parseWith.ts';
import { notFound } from '../../base/errors/requestErrors.ts';
import { answerPage } from '../http/page.ts';
import type { Services } from '../services.ts';
import type { DeliveryListQuery, EventListQuery, RedeliveryBody } from './webhookSchema.ts';
import { endpointDisabled, endpointOf, managedEndpointOf } from './endpoints.ts';
import { checkTypesRead, readsEvent, typesRead } from './publisherWebhooks.ts';
import type { Delivery, ListedDeliveryShape } from './webhookAnswers.ts';

/**
 * `GET /platform/v1/events/{event_id}`: one event, as its stream sent it. Throws 422 `validation_error` for a malformed id, and 404
 * `event_not_found` for an event that is unknown, of another workspace, past its retention, or not for the key's scopes.
 */
export function retrieveEvent({ db }: Services): Handler {
  return async (ctx) => {
    const id = pathId(ctx, 'event_id');
    const event = await findEvent(db.read(ctx.state.key.workspaceId), id);
    if (!event || !readsEvent(ctx, event)) throw eventNotFound(id);
    ctx.body = event;
  };
}

/** `GET /platform/v1/events`: the events for webhooks, newest first, in pages, even without an endpoint. */
export function listWorkspaceEvents({ db, cursors }: Services): Handler<z.output<typeof EventListQuery>> {
  return async (ctx) => {
    const { type } = ctx.state.input;
    checkTypesRead(ctx, type === undefined ? [] : [type], 'type');
    const types = type === undefined ? typesRead(ctx) : [type];
    const rows = db.read(ctx.state.key.workspaceId);
    await answerPage(ctx, cursors, {
      list: `events ${type ?? ''}`,
      read: (page) => readWorkspaceEvents(rows, { types }, page),
      present: (event) => event,
    });
  };
}

/** `GET /platform/v1/webhook_endpoints/{endpoint_id}/deliveries`: the deliveries and their answers, newest first, in pages. */
export function listWebhookDeliveries(services: Services): Handler<z.output<typeof DeliveryListQuery>> {
  const { db, cursors } = services;
  return async (ctx) => {
    const { event_id: eventId, status } = ctx.state.input;
    const { id: endpointId } = await endpointOf(ctx, services);
    const rows = db.read(ctx.state.key.workspaceId);
    await answerPage(ctx, cursors, {
      list: `deliveries ${endpointId} ${eventId ?? ''} ${status ?? ''}`,
      read: (page) => listDeliveries(rows, { endpointId, eventId, status, types: typesRead(ctx) }, page),
      present: presentListed,
    });
  };
}

/**
 * `GET /platform/v1/webhook_endpoints/{endpoint_id}/deliveries/{delivery_id}`: one of them, as the list has it. Throws 404
 * `webhook_delivery_not_found`.
 */
export function retrieveWebhookDelivery(services: Services): Handler {
  return async (ctx) => {
    const { id: endpointId } = await endpointOf(ctx, services);
    const id = pathId(ctx, 'delivery_id');
    const asked = { endpointId, id, types: typesRead(ctx) };
    const found = await listDeliveries(services.db.read(ctx.state.key.workspaceId), asked, { after: null, limit: 1 });
    const [delivery] = found.rows;
    if (!delivery) throw notFound(`No delivery with the id '${id}'.`, 'webhook_delivery_not_found');
    ctx.body = presentListed(delivery);
  };
}

/**
 * `POST /platform/v1/events/{event_id}/redeliver`: delivers an event again, with a new schedule of attempts. Throws 404 `event_not_found`,
 * and 409 `webhook_endpoint_disabled`.
 */
export function redeliverEvent(services: Services): Handler<z.output<typeof RedeliveryBody>> {
  return async (ctx) => {
    const { endpoint_id: sent } = ctx.state.input;
    const endpoint = typeof sent === 'string' ? await managedEndpointOf(ctx, services, sent) : undefined;
    if (endpoint && endpoint.disabledAt !== null) throw endpointDisabled();
    const id = pathId(ctx, 'event_id');
    const types = typesRead(ctx);
    const event = types && (await findEvent(services.db.read(ctx.state.key.workspaceId), id));
    if (types && !(event && types.includes(event.type))) throw eventNotFound(id);
    const { isKnown, deliveries } = await redeliver(services.db.write(ctx.state.key.workspaceId), id, endpoint?.id);
    if (!isKnown) throw eventNotFound(id);
    ctx.status = 202;
    ctx.body = { object: 'list', data: deliveries.map((one) => ({ ...present(one), merged: one.isMerged })) };
  };
}

const eventNotFound = (id: string) => notFound(`No event with the id '${id}'.`, 'event_not_found');

function present(delivery: DeliveryRow): z.infer<typeof Delivery> {
  return {
    id: delivery.id,
    object: 'webhook_delivery',
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempt: delivery.tries,
    next_try_at: delivery.nextTryAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
  };
}

function presentListed(delivery: ListedDelivery): z.infer<typeof ListedDeliveryShape> {
  return {
    ...present(delivery),
    request_body: delivery.event ? webhookBody(delivery.event) : null,
    attempts: delivery.attempts.map(({ id, statusCode, responseBody, error, durationMs, createdAt }) => ({
      id,
      response_status: statusCode,
      response_body: responseBody,
      error,
      duration_ms: durationMs,
      created_at: createdAt.toISOString(),
    })),
  };
}
