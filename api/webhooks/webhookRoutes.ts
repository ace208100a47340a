import { body, optionalBody } from '../body/body.ts';
import { parseWith, query } from '../body/parseWith.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { wholeWorkspace } from '../guard/projects.ts';
import { limitedAs } from '../guard/rate.ts';
import { memberOr } from '../guard/session.ts';
import { get, patch, post, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
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
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  retrieveWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
} from './endpoints.ts';
import {
  listWebhookDeliveries,
  listWorkspaceEvents,
  redeliverEvent,
  retrieveEvent,
  retrieveWebhookDelivery,
} from './events.ts';
import { streamEvents } from './eventStream.ts';
import { webhookDocs } from './webhookDocs.ts';

/** The routes of webhook endpoints and their events. Who publishes has those for the events of agents. */
export function webhookRoutes(services: Services, keyed: Keyed): Route[] {
  const reader: Keyed = (...checks) => keyed(memberOr('manage', 'publisher'), wholeWorkspace, ...checks);
  const manager: Keyed = (...checks) => keyed(scope('manage', 'publisher'), wholeWorkspace, ...checks);
  const creation = manager(body(parseWith(NewEndpointBody, 'body')));
  const change = manager(body(parseWith(EndpointChangeBody, 'body')));
  const redelivery = manager(optionalBody(parseWith(RedeliveryBody, 'body')));
  const eventReader = memberOr('manage', 'publisher', 'agents');
  const stream = reader(
    query(EventStreamQuery),
    limitedAs(() => 'follower'),
  );
  const deliveries = reader(query(DeliveryListQuery));
  const [endpoints, events] = ['/platform/v1/webhook_endpoints', '/platform/v1/events'];
  const one = `${endpoints}/:endpoint_id`;
  return [
    // Before the route of an id, which would take its path.
    get(`${events}/stream`, stream, streamEvents(services), webhookDocs.stream),
    get(`${events}/:event_id`, keyed(eventReader, wholeWorkspace), retrieveEvent(services), webhookDocs.event),
    get(endpoints, reader(query(EndpointListQuery)), listWebhookEndpoints(services), webhookDocs.list),
    post(endpoints, creation, createWebhookEndpoint(services), webhookDocs.create),
    get(one, reader(), retrieveWebhookEndpoint(services), webhookDocs.retrieve),
    patch(one, change, changeWebhookEndpoint(services), webhookDocs.change),
    remove(one, manager(), deleteWebhookEndpoint(services), webhookDocs.remove),
    post(`${one}/rotate_secret`, manager(), rotateWebhookSecret(services), webhookDocs.rotate),
    post(`${one}/test`, manager(), testWebhookEndpoint(services), webhookDocs.test),
    get(`${one}/deliveries`, deliveries, listWebhookDeliveries(services), webhookDocs.deliveries),
    get(`${one}/deliveries/:delivery_id`, reader(), retrieveWebhookDelivery(services), webhookDocs.delivery),
    get(events, reader(query(EventListQuery)), listWorkspaceEvents(services), webhookDocs.events),
    post(`${events}/:event_id/redeliver`, redelivery, redeliverEvent(services), webhookDocs.redeliver),
  ];
}
