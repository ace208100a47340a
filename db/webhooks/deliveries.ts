import type { InferEntity } from '@mikro-orm/core';
import { RETENTION_DAYS } from '../../base/limits.ts';
import type { WebhookAttempt, WebhookDelivery } from '../entities/webhook.ts';
import { newId } from '../ids.ts';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { Rows, Transaction } from '../postgres/rows.ts';
import { findEvent, findEvents, type EventObject } from '../events/readEvents.ts';
import { TEST_EVENT_TYPE } from '../events/eventTypes.ts';
import { recordEvent } from '../events/platformEvents.ts';
import type { EndpointRow } from './endpoints.ts';

export type DeliveryRow = InferEntity<typeof WebhookDelivery>;
export type AttemptRow = InferEntity<typeof WebhookAttempt>;

/** A delivery as its endpoint's owner sees it: the content, and each attempt. `event` is undefined past its retention. */
export interface ListedDelivery extends DeliveryRow {
  event: EventObject | undefined;
  attempts: AttemptRow[];
}

interface DeliveryFilter {
  endpointId: string;
  id?: string;
  eventId?: string;
  status?: DeliveryRow['status'];
  types?: readonly string[] | null;
}

/** Deliveries of an endpoint, newest first; of events of some types, unless they are null. */
export function listDeliveries(
  rows: Rows,
  { endpointId, id, eventId, status, types = null }: DeliveryFilter,
  page: PageQuery,
): Promise<{ rows: ListedDelivery[]; hasMore: boolean }> {
  return rows.transaction(async (tx) => {
    const ofTypes = types && { eventType: { $in: [...types] } };
    const where = { endpointId, ...(id && { id }), ...(eventId && { eventId }), ...(status && { status }), ...ofTypes };
    const found = await readPage(tx, tx.WebhookDelivery, where, page);
    const ids = found.rows.map(({ id }) => id);
    const order = { orderBy: { createdAt: 'asc', id: 'asc' } } as const;
    const attempts = await tx.em.find(tx.WebhookAttempt, { deliveryId: { $in: ids } }, order);
    const attemptsOf = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
    const events = await findEvents(tx, [...new Set(found.rows.map((row) => row.eventId))]);
    const listed = found.rows.map((row) => ({
      ...row,
      event: events.get(row.eventId),
      attempts: attemptsOf.get(row.id) ?? [],
    }));
    return { rows: listed, hasMore: found.hasMore };
  });
}

/** A redelivery. It may share its first attempt with an earlier one, whose attempt was still due (`isMerged`). */
export type Redelivery = DeliveryRow & { isMerged: boolean };

/**
 * Delivers an event of the workspace again, even if it was delivered before: to one endpoint, or to all that receive its type. Returns
 * whether there is such an event, and the started deliveries.
 */
export function redeliver(
  rows: Rows,
  eventId: string,
  endpointId?: string,
): Promise<{ isKnown: boolean; deliveries: Redelivery[] }> {
  return rows.transaction(async (tx) => {
    const event = await findEvent(tx, eventId);
    if (!event) return { isKnown: false, deliveries: [] };
    const endpoints = (await liveEndpoints(tx)).filter(({ id, eventTypes }) =>
      endpointId === undefined ? eventTypes.length === 0 || eventTypes.includes(event.type) : id === endpointId,
    );
    const { rows: before } = await tx.client.query<Before>(BEFORE, [eventId, endpoints.map(({ id }) => id)]);
    const deliveries = await beginAll(tx, event, endpoints);
    return {
      isKnown: true,
      deliveries: deliveries.map((one) => ({
        ...one,
        isMerged: before.some(({ id, isDue }) => isDue && id === one.id),
      })),
    };
  });
}

interface Before {
  id: string;
  isDue: boolean;
}

// Locks what it reads, whatever its state: of redeliveries at once, all but the first find the attempt of an earlier one.
const BEFORE = `
select id, status = 'pending' and tries = 0 as "isDue" from webhook_deliveries where event_id = $1 and endpoint_id = any($2)
order by id for update`;

/** Records a test event for one endpoint, and its delivery. */
export function insertTestEvent(rows: Rows, endpoint: EndpointRow): Promise<EventObject> {
  return rows.transaction(async (tx) => {
    const eventId = await recordEvent(tx, rows.workspaceId, {
      type: TEST_EVENT_TYPE,
      resourceType: 'webhook_endpoint',
      resourceId: endpoint.id,
      data: { webhook_endpoint_id: endpoint.id, message: 'This is a test: nothing has happened.' },
    });
    const event = (await findEvent(tx, eventId))!;
    await beginAll(tx, event, [endpoint]);
    return event;
  });
}

const liveEndpoints = ({ em, WebhookEndpoint }: Transaction): Promise<EndpointRow[]> =>
  em.find(WebhookEndpoint, { disabledAt: null, deletedAt: null });

async function beginAll(tx: Transaction, event: EventObject, endpoints: EndpointRow[]): Promise<DeliveryRow[]> {
  const { em, client, WebhookDelivery, workspaceId } = tx;
  const ids = endpoints.map(({ id }) => id);
  await client.query(BEGIN, [event.id, ids, workspaceId, event.type]);
  await client.query(`select pg_notify('ledgerline', '{"kind":"webhook"}')`);
  return em.find(WebhookDelivery, { eventId: event.id, endpointId: { $in: ids } });
}

// The id as the trigger makes it.
const BEGIN = `
insert into webhook_deliveries (id, event_id, endpoint_id, workspace_id, event_type)
select 'whd_' || left(md5($1 || e), 22), $1, e, $3, $4 from unnest($2::text[]) e
on conflict (event_id, endpoint_id) do update
set status = 'pending', round = webhook_deliveries.round + 1, tries = 0, next_try_at = now(), due_at = now()`;

/** A delivery with a workflow for a sweep to start, wake or cancel. */
export interface DueDelivery {
  id: string;
  workspaceId: string;
  eventId: string;
  endpointId: string;
  status: DeliveryRow['status'];
  round: number;
  /** Whether many more are due for its endpoint. */
  isFlood: boolean;
}

const FLOOD_MIN = 20;

/** How many are read at once: few, because a delivery that becomes due waits for those before it. */
export const DUE_MAX = 100;

/** Deliveries with outdated workflows: the oldest of each endpoint, then the second ones, so that none waits for a flood at another. */
export async function readDueDeliveries(everywhere: Rows<undefined>): Promise<DueDelivery[]> {
  const { rows } = await everywhere.statement(({ client }) => client.query<DueDelivery>(DUE, [DUE_MAX, FLOOD_MIN]));
  return rows;
}

// Raw: the ORM knows no window functions. Of a long backlog the oldest take turns: sorting all of it for each page would take the square of its
// length.
const DUE = `
select id, workspace_id as "workspaceId", event_id as "eventId", endpoint_id as "endpointId", status, round, due >= $2 as "isFlood"
from (
  select *, row_number() over (partition by endpoint_id order by due_at, id) as turn, count(*) over (partition by endpoint_id) as due
  from (select * from webhook_deliveries where due_at is not null order by due_at limit 5000) oldest) due
order by turn, due_at, id limit $1`;

/** Marks that the workflow is up to date, unless the delivery has changed since it was read. */
export async function markTold(everywhere: Rows<undefined>, { id, status, round }: DueDelivery): Promise<void> {
  await everywhere.statement(({ em, WebhookDelivery }) =>
    em.nativeUpdate(WebhookDelivery, { id, round, status }, { dueAt: null }),
  );
}

/** The data of an attempt: the delivery and its endpoint, with the event to send. Undefined when there is nothing left to send. */
export interface DeliveryOrder {
  delivery: DeliveryRow;
  endpoint: EndpointRow;
  event: EventObject;
  /** Until its next attempt is due. */
  waitMs: number;
}

/** Reads a pending delivery. If its endpoint is disabled, or its event no longer exists, it is cancelled. */
export function readOrder(
  everywhere: Rows<undefined>,
  { eventId, endpointId }: { eventId: string; endpointId: string },
): Promise<DeliveryOrder | undefined> {
  return everywhere.transaction(async (tx) => {
    const { em, WebhookDelivery, WebhookEndpoint } = tx;
    const delivery = await em.findOne(WebhookDelivery, { eventId, endpointId, status: 'pending' });
    if (!delivery) return undefined;
    // The workspace of the endpoint too, so that an event never leaves its own.
    const { workspaceId } = delivery;
    const live = { id: endpointId, workspaceId, disabledAt: null, deletedAt: null };
    const endpoint = await em.findOne(WebhookEndpoint, live);
    const event = await findEvent(tx, eventId, workspaceId);
    if (endpoint && event) return { delivery, endpoint, event, waitMs: await waitOf(tx, delivery) };
    const cancelled = { status: 'cancelled' as const, nextTryAt: null, dueAt: null };
    await em.nativeUpdate(WebhookDelivery, { id: delivery.id }, cancelled);
    return undefined;
  });
}

// The first attempt of a round is due at once.
async function waitOf({ client }: Transaction<undefined>, { id, tries }: DeliveryRow): Promise<number> {
  if (tries === 0) return 0;
  const { rows } = await client.query<{ ms: number | null }>(WAIT, [id]);
  return Math.max(0, Math.ceil(rows[0]?.ms ?? 0));
}

const WAIT = `
select (extract(epoch from next_try_at - ledger_now(workspace_id)) * 1000)::float8 as ms from webhook_deliveries where id = $1`;

/** The result of an attempt. `error` is null for an accepted one. */
export interface AttemptResult {
  statusCode: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
}

/** Stores an attempt within the transaction that changes its delivery. */
export async function insertAttempt(
  { em, WebhookAttempt }: Transaction<undefined>,
  { id: deliveryId, workspaceId }: DeliveryRow,
  result: AttemptResult,
): Promise<void> {
  await em.insert(WebhookAttempt, { id: newId('wha'), deliveryId, workspaceId, ...result });
}

const BATCH_ROWS = 5_000;

/** Deletes deliveries past their retention, with their attempts, and endpoints deleted as long ago. Returns the number of deliveries. */
export async function pruneDeliveries(everywhere: Rows<undefined>): Promise<number> {
  let pruned = 0;
  for (;;) {
    const { rows } = await everywhere.statement(({ client }) =>
      client.query<{ count: number }>(PRUNE, [RETENTION_DAYS, BATCH_ROWS]),
    );
    const { count } = rows[0]!;
    pruned += count;
    if (count < BATCH_ROWS) break;
  }
  const old = `deleted_at < now() - ${RETENTION_DAYS} * interval '1 day'`;
  await everywhere.statement(({ client }) => deleteInPortions(client, 'webhook_endpoints', old));
  return pruned;
}

const PRUNE = `
with old as (
  delete from webhook_deliveries where id = any (array(
    select id from webhook_deliveries where created_at < now() - $1 * interval '1 day' order by created_at limit $2))
  returning id),
attempts as (delete from webhook_attempts where delivery_id in (select id from old))
select count(*)::int as count from old`;
