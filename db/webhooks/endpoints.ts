import type { InferEntity } from '@mikro-orm/core';
import { auditOf, type Actor } from '../workspaces/audit.ts';
import { lockWorkspace } from '../workspaces/lockWorkspace.ts';
import type { WebhookEndpoint } from '../entities/webhook.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { AnyTransaction, Rows, Transaction } from '../postgres/rows.ts';
import type { SecretOpener } from '../sealing/secretBox.ts';
import { makeSigningSecret, resealedSecrets, rotatedSecrets } from '../sealing/signingSecrets.ts';

export type EndpointRow = InferEntity<typeof WebhookEndpoint>;

/** The maximum number of a workspace's endpoints. */
export const ENDPOINTS_MAX = 20;
const auditEndpoint = auditOf('webhook_endpoint');

/** The owner's settings of an endpoint. Empty `eventTypes`: all. */
export type EndpointChoice = Pick<EndpointRow, 'url' | 'eventTypes' | 'description'> & { disabled: boolean };

/** A new endpoint or secret is refused: the limit is reached, or no worker has started yet. */
export type EndpointRefusal = 'too_many' | 'no_worker';

/**
 * Creates an endpoint, audited. Returns it with its secret, which only the worker can read later. The caller chooses `id`: the secret is
 * null when that endpoint exists already.
 */
export async function insertEndpoint(
  rows: Rows,
  { id, by, disabled, ...chosen }: EndpointChoice & { id: string; by: Actor },
): Promise<{ secret: string | null; endpoint: EndpointRow } | EndpointRefusal> {
  const made = await makeSigningSecret(rows, id);
  if (!made) return 'no_worker';
  return rows.transaction(async (tx) => {
    const { em, WebhookEndpoint, workspaceId } = tx;
    const existing = await em.findOne(WebhookEndpoint, { id });
    if (existing) return { secret: null, endpoint: existing };
    await lockWorkspace(tx, workspaceId);
    if ((await em.count(WebhookEndpoint, { deletedAt: null })) >= ENDPOINTS_MAX) return 'too_many';
    const state = disabled ? { disabledAt: tx.sql.now(), disabledReason: 'requested' as const } : {};
    const secrets = [{ sealed: made.sealed, expiresAt: null }];
    await em.insert(WebhookEndpoint, { id, workspaceId, ...chosen, ...state, secrets });
    await auditEndpoint(tx, by, { action: 'create_webhook_endpoint', id, detail: { after: { ...chosen, disabled } } });
    return { secret: made.secret, endpoint: await em.findOneOrFail(WebhookEndpoint, { id }) };
  });
}

/** Lists the endpoints of the workspace, newest first; those that get events of these types alone, unless they are null. */
export const readEndpoints = (rows: Rows, page: PageQuery, types: readonly string[] | null) =>
  rows.transaction((tx) => {
    const only = types && { eventTypes: { $contained: [...types], $ne: [] } };
    return readPage(tx, tx.WebhookEndpoint, { deletedAt: null, ...only }, page);
  });

/** An endpoint of the workspace, or undefined. */
export const findEndpoint = async (rows: Rows, id: string): Promise<EndpointRow | undefined> =>
  (await rows.statement(({ em, WebhookEndpoint }) => em.findOne(WebhookEndpoint, { id, deletedAt: null }))) ??
  undefined;

/** An enabled endpoint at an address, compared without its query, or undefined. */
export async function findEndpointAt(rows: Rows, url: string): Promise<EndpointRow | undefined> {
  const enabled = await rows.statement(({ em, WebhookEndpoint }) =>
    em.find(WebhookEndpoint, { disabledAt: null, deletedAt: null }),
  );
  return enabled.find((endpoint) => isAddressOf(endpoint, url));
}

/** Whether a run's own address is the endpoint's, except for the query. */
export function isAddressOf(endpoint: Pick<EndpointRow, 'url'>, url: string): boolean {
  const baseOf = (text: string) => text.split('?', 1)[0];
  return baseOf(endpoint.url) === baseOf(url);
}

/**
 * Changes an endpoint, audited. Disabling it ends its waiting deliveries; the failures of an earlier address do not count for another one.
 * Returns it as it is then; undefined: no such endpoint.
 */
export function updateEndpoint(
  rows: Rows,
  id: string,
  { change, by }: { change: Partial<EndpointChoice>; by: Actor },
): Promise<EndpointRow | undefined> {
  return rows.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, id);
    if (!endpoint) return undefined;
    const { disabled, ...rest } = change;
    const hasMoved = rest.url !== undefined && rest.url !== endpoint.url;
    const changes = { ...rest, ...(hasMoved && { failingSince: null }) };
    if (Object.keys(changes).length > 0) await tx.em.nativeUpdate(tx.WebhookEndpoint, { id }, changes);
    if (disabled === true && endpoint.disabledAt === null) await disableEndpoint(tx, id, 'requested');
    if (disabled === false) {
      const enabled = { disabledAt: null, disabledReason: null, failingSince: null };
      await tx.em.nativeUpdate(tx.WebhookEndpoint, { id }, enabled);
    }
    const shown = { ...endpoint, disabled: endpoint.disabledAt !== null };
    const names = Object.keys(change) as (keyof EndpointChoice)[];
    const before = Object.fromEntries(names.map((name) => [name, shown[name]]));
    await auditEndpoint(tx, by, { action: 'change_webhook_endpoint', id, detail: { before, after: change } });
    return findEndpoint(tx, id);
  });
}

/** Deletes an endpoint with its secrets, audited, and ends its waiting deliveries. False: no such endpoint. */
export function removeEndpoint(rows: Rows, id: string, by: Actor): Promise<boolean> {
  return rows.transaction(async (tx) => {
    if (!(await lockEndpoint(tx, id))) return false;
    await tx.em.nativeUpdate(tx.WebhookEndpoint, { id }, { deletedAt: tx.sql.now(), secrets: [] });
    await cancelWaiting(tx, id);
    await auditEndpoint(tx, by, { action: 'delete_webhook_endpoint', id });
    return true;
  });
}

/** Gives an endpoint a new secret, audited. The earlier secret also signs for a day. Returns the endpoint as it is then. */
export async function rotateSecret(
  rows: Rows,
  id: string,
  by: Actor,
): Promise<{ secret: string; endpoint: EndpointRow } | 'not_found' | 'no_worker'> {
  const made = await makeSigningSecret(rows, id);
  if (!made) return 'no_worker';
  return rows.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, id);
    if (!endpoint) return 'not_found';
    const { secrets, expiresAt } = rotatedSecrets(endpoint.secrets, made.sealed);
    await tx.em.nativeUpdate(tx.WebhookEndpoint, { id }, { secrets });
    await auditEndpoint(tx, by, { action: 'rotate_webhook_secret', id, detail: { previous_expires_at: expiresAt } });
    return { secret: made.secret, endpoint: { ...endpoint, secrets } };
  });
}

/** Disables an endpoint and ends its waiting deliveries. */
export async function disableEndpoint(
  tx: AnyTransaction,
  id: string,
  reason: NonNullable<EndpointRow['disabledReason']>,
): Promise<void> {
  await tx.em.nativeUpdate(tx.WebhookEndpoint, { id }, { disabledAt: tx.sql.now(), disabledReason: reason });
  await cancelWaiting(tx, id);
}

// A sweep then ends their workflows.
async function cancelWaiting({ em, WebhookDelivery, sql }: AnyTransaction, endpointId: string): Promise<void> {
  const cancelled = { status: 'cancelled' as const, nextTryAt: null, dueAt: sql.now() };
  await em.nativeUpdate(WebhookDelivery, { endpointId, status: 'pending' }, cancelled);
}

async function lockEndpoint({ em, WebhookEndpoint, LockMode }: Transaction, id: string): Promise<EndpointRow | null> {
  return em.findOne(WebhookEndpoint, { id, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/**
 * Reseals for the worker's first key all secrets sealed for an older key, so that the older key can be removed. Returns how many
 * endpoints.
 */
export function resealSecrets(everywhere: Rows<undefined>, box: SecretOpener): Promise<number> {
  return everywhere.transaction(async (tx) => {
    const { em, WebhookEndpoint, LockMode } = tx;
    const endpoints = await em.find(WebhookEndpoint, { deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    // Without the older key they stay as they are, until it is configured again or they are rotated.
    let renewed = 0;
    for (const { id, secrets } of endpoints) {
      const current = await resealedSecrets(tx, box, { secrets, owner: id });
      if (!current) continue;
      await em.nativeUpdate(WebhookEndpoint, { id }, { secrets: current });
      renewed += 1;
    }
    return renewed;
  });
}
