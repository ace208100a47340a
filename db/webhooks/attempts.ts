import { rolesWith } from '../keys/roles.ts';
import { recordMailedEvent } from '../mails/eventMails.ts';
import type { Rows, Transaction } from '../postgres/rows.ts';
import { insertAttempt, type AttemptResult, type DeliveryOrder, type DeliveryRow } from './deliveries.ts';
import { disableEndpoint, type EndpointRow } from './endpoints.ts';

/** Waits between the attempts of one round, each counted from the attempt before. */
export const RETRY_DELAYS_MS = [
  5_000,
  ...[5, 30, 120, 300, 600, 840, 1_200, 1_440].map((minutes) => minutes * 60_000),
] as const;
/** An endpoint is disabled when every attempt fails for this time. */
export const FAILING_DAYS_MAX = 5;

const GONE = 410;

/**
 * Stores an attempt and its consequences, in one transaction. Returns the wait until the next one; null: there is none. An answer 410
 * disables the endpoint, and so does an endpoint's failing for days.
 */
export function recordAttempt(
  everywhere: Rows<undefined>,
  { delivery, endpoint }: Omit<DeliveryOrder, 'waitMs'>,
  { result, delaysMs }: { result: AttemptResult; delaysMs: readonly number[] },
): Promise<number | null> {
  return everywhere.transaction(async (tx) => {
    await insertAttempt(tx, delivery, result);
    // Locks the endpoint, then the delivery: every change of both uses this order.
    const live = await lock(tx, endpoint.id);
    const isAccepted = result.error === null;
    const delayMs = isAccepted ? null : (delaysMs[delivery.tries] ?? null);
    const isCurrent = await advance(tx, delivery, { isAccepted, delayMs });
    if (!live || live.disabledAt !== null) return null;
    // An answer of an earlier address says nothing about the present one.
    if (live.url !== endpoint.url) return isCurrent ? delayMs : 0;
    const failing = isAccepted ? live : await failingOf(tx, live, delivery);
    const reason = isAccepted ? undefined : reasonToDisable(failing, result, await nowOf(tx, live));
    if (reason) {
      await disable(tx, live, reason);
      return null;
    }
    await setFailing(tx, failing, !isAccepted);
    // Not current: a redelivery was requested during the attempt, and its first attempt is due.
    return isCurrent ? delayMs : 0;
  });
}

const lock = ({ em, WebhookEndpoint, LockMode }: Transaction<undefined>, id: string): Promise<EndpointRow | null> =>
  em.findOne(WebhookEndpoint, { id, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });

/** Whether the attempt was of the current round. */
async function advance(
  { em, sql, WebhookDelivery }: Transaction<undefined>,
  { id, round, tries }: DeliveryRow,
  { isAccepted, delayMs }: { isAccepted: boolean; delayMs: number | null },
): Promise<boolean> {
  const status = isAccepted ? ('delivered' as const) : delayMs === null ? ('failed' as const) : ('pending' as const);
  const nextTryAt = delayMs === null ? null : sql`ledger_now(workspace_id) + make_interval(secs => ${delayMs / 1000})`;
  const changed = await em.nativeUpdate(
    WebhookDelivery,
    { id, round, status: 'pending' },
    { status, tries: tries + 1, nextTryAt },
  );
  return changed > 0;
}

/** The endpoint; its failing time begins anew after days without an attempt, because those days show no failure. */
async function failingOf(
  { client }: Transaction<undefined>,
  endpoint: EndpointRow,
  { tries }: DeliveryRow,
): Promise<EndpointRow> {
  // Others follow one of the same event.
  if (endpoint.failingSince === null || tries > 0) return endpoint;
  const { rowCount } = await client.query(TRIED, [endpoint.id]);
  return rowCount === 1 ? endpoint : { ...endpoint, failingSince: null };
}

// Attempts of one event are at most a day and some chance apart. That of this transaction has its time. What still waits is passed by.
const TRIED = `
select from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id
where d.endpoint_id = $1 and (d.tries > 0 or d.round > 1) and a.created_at > now() - interval '2 days' and a.created_at < now()
order by d.created_at desc limit 1`;

async function setFailing(
  { em, sql, WebhookEndpoint }: Transaction<undefined>,
  { id, failingSince }: EndpointRow,
  isFailing: boolean,
): Promise<void> {
  if ((failingSince !== null) === isFailing) return;
  await em.nativeUpdate(WebhookEndpoint, { id }, { failingSince: isFailing ? sql`ledger_now(workspace_id)` : null });
}

async function nowOf({ client }: Transaction<undefined>, { workspaceId }: EndpointRow): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('select ledger_now($1) as now', [workspaceId]);
  return rows[0]!.now;
}

function reasonToDisable(
  { failingSince }: EndpointRow,
  { statusCode }: AttemptResult,
  now: Date,
): 'gone' | 'failing' | undefined {
  if (statusCode === GONE) return 'gone';
  const isLong = failingSince !== null && now.getTime() - failingSince.getTime() > FAILING_DAYS_MAX * 24 * 3_600_000;
  return isLong ? 'failing' : undefined;
}

async function disable(tx: Transaction<undefined>, endpoint: EndpointRow, reason: 'gone' | 'failing'): Promise<void> {
  await disableEndpoint(tx, endpoint.id, reason);
  const event = {
    type: 'webhook_endpoint.disabled' as const,
    resourceType: 'webhook_endpoint',
    resourceId: endpoint.id,
    data: { webhook_endpoint_id: endpoint.id, url: endpoint.url, reason },
  };
  await recordMailedEvent(tx, endpoint.workspaceId, event, { roles: rolesWith('manage') });
}
