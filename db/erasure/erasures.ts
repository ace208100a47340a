import type { InferEntity } from '@mikro-orm/core';
import { moveDeployment } from '../publishing/moveDeployment.ts';
import { audit, type Actor } from '../workspaces/audit.ts';
import type { Erasure } from '../entities/erasure.ts';
import { newId } from '../ids.ts';
import { announceChange, revokeWithin } from '../keys/keyStore.ts';
import type { MailedEventType } from '../events/eventTypes.ts';
import { recordMailedEvent } from '../mails/eventMails.ts';
import type { AnyRows, AnyTransaction, Rows } from '../postgres/rows.ts';
import { lockWorkspace } from '../workspaces/lockWorkspace.ts';
import { idsInBothModes } from '../workspaces/workspaces.ts';
import { ROLES } from '../keys/roles.ts';

export type ErasureRow = InferEntity<typeof Erasure>;

/** How long an erasure can be cancelled by default. */
export const GRACE_DAYS = 7;

/** Kept answers are emptied within ten minutes, and open calls end: nothing is erased before that. */
const GRACE_MINUTES_MIN = 15;

/** Why an erasure was not ordered or cancelled. Nothing was changed. */
export type ErasureRefusal = 'not_found' | 'platform_workspace' | 'payout_open' | 'started';

interface ErasureOrder {
  workspaceId: string;
  by: Actor;
  graceDays?: number;
}

/**
 * Orders the erasure of a workspace. At once, its keys end, its runs and batches are cancelled, its agents are suspended, and its members
 * are notified. Its rows are erased after the grace period. A second order changes nothing. Audited.
 */
export function orderErasure(
  everywhere: Rows<undefined>,
  { workspaceId, by, graceDays = GRACE_DAYS }: ErasureOrder,
): Promise<ErasureRow | ErasureRefusal> {
  return everywhere.transaction(async (tx) => {
    const { em, sql, Erasure } = tx;
    // Serializes orders, cancellations and changes of the owners.
    if (!(await lockWorkspace(tx, workspaceId))) return 'not_found';
    const earlier = await findErasure(tx, workspaceId);
    if (earlier) return earlier;
    const refusal = await refusalOf(tx, workspaceId);
    if (refusal) return refusal;
    const id = newId('era');
    const days = sql`now() + make_interval(days => ${graceDays})`;
    const dueAt = graceDays > 0 ? days : sql`now() + make_interval(mins => ${GRACE_MINUTES_MIN})`;
    await em.insert(Erasure, { id, workspaceId, userId: by.userId ?? null, dueAt });
    const ordered = await em.findOneOrFail(Erasure, { id });
    await stopWorkspace(tx, ordered);
    await auditErasure(tx, by, ordered, 'order_erasure');
    await noteErasure(tx, ordered, 'workspace.erasure_ordered');
    return ordered;
  }, workspaceId);
}

/** Cancels an erasure that has not begun: the keys it ended work again, and its agents are public again. Audited. */
export function cancelErasure(
  everywhere: Rows<undefined>,
  { workspaceId, by }: Omit<ErasureOrder, 'graceDays'>,
): Promise<'cancelled' | ErasureRefusal> {
  return everywhere.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const ordered = await findErasure(tx, workspaceId);
    if (!ordered) return 'not_found';
    if (ordered.startedAt !== null) return 'started';
    await tx.em.nativeUpdate(tx.Erasure, { id: ordered.id }, { cancelledAt: tx.sql.now() });
    const { rows } = await tx.client.query<{ id: string }>(REVIVE_KEYS, [ordered.id]);
    for (const { id } of rows) await announceChange(tx, id);
    for (const deploymentId of await deploymentsWhere(tx, workspaceId, { moveRequestId: ordered.id }))
      await move(tx, ordered, { deploymentId, move: 'reinstate', requestId: `${ordered.id} cancelled` });
    await auditErasure(tx, by, ordered, 'cancel_erasure');
    await noteErasure(tx, ordered, 'workspace.erasure_cancelled');
    return 'cancelled';
  }, workspaceId);
}

/** The erasure of a workspace that was not cancelled, or undefined. */
export async function findErasure(rows: AnyRows, workspaceId: string): Promise<ErasureRow | undefined> {
  const found = await rows.statement(({ em, Erasure }) => em.findOne(Erasure, { workspaceId, cancelledAt: null }));
  return found ?? undefined;
}

async function refusalOf(
  { em, Namespace, Payout }: AnyTransaction,
  workspaceId: string,
): Promise<ErasureRefusal | undefined> {
  if ((await em.count(Namespace, { workspaceId, name: 'ledgerline' })) > 0) return 'platform_workspace';
  return (await em.count(Payout, { workspaceId, status: 'requested' })) > 0 ? 'payout_open' : undefined;
}

/** Ends whatever would continue by itself. A notice cancels the runs of revoked keys. */
async function stopWorkspace(tx: AnyTransaction, ordered: ErasureRow): Promise<void> {
  const { em, sql, ApiKey, Batch } = tx;
  const { workspaceId } = ordered;
  const ofBoth = { workspaceId: await idsInBothModes(tx, workspaceId) };
  const keys = await em.find(ApiKey, { ...ofBoth, revokedAt: null }, { fields: ['id'], orderBy: { id: 'asc' } });
  for (const { id } of keys) await revokeWithin(tx, id);
  await em.nativeUpdate(
    Batch,
    { ...ofBoth, status: ['validating', 'in_progress'] },
    { status: 'cancelling', cancellingAt: sql.now() },
  );
  for (const [status, change] of [
    ['active', 'suspend'],
    ['in_review', 'withdraw'],
  ] as const) {
    for (const deploymentId of await deploymentsWhere(tx, workspaceId, { status }))
      await move(tx, ordered, { deploymentId, move: change, requestId: ordered.id });
  }
}

async function deploymentsWhere(
  { em, Deployment }: AnyTransaction,
  workspaceId: string,
  where: { status: 'active' | 'in_review' } | { moveRequestId: string },
): Promise<string[]> {
  const found = await em.find(Deployment, { workspaceId, visibility: 'public', ...where }, { orderBy: { id: 'asc' } });
  return found.map(({ id }) => id);
}

const move = (
  tx: AnyTransaction,
  { workspaceId }: ErasureRow,
  order: { deploymentId: string; move: 'suspend' | 'withdraw' | 'reinstate'; requestId: string },
) =>
  moveDeployment(tx, {
    deploymentId: order.deploymentId,
    move: order.move,
    feedback: [],
    by: { publisher: workspaceId, requestId: order.requestId },
  });

const auditErasure = (tx: AnyTransaction, by: Actor, { workspaceId, dueAt }: ErasureRow, action: string) =>
  audit(tx, by, { workspaceId, action, subjectType: 'workspace', subjectId: workspaceId, detail: { due_at: dueAt } });

const noteErasure = (tx: AnyTransaction, { workspaceId, dueAt }: ErasureRow, type: MailedEventType): Promise<void> =>
  recordMailedEvent(
    tx,
    workspaceId,
    { type, resourceType: 'workspace', resourceId: workspaceId, data: { erase_at: dueAt.toISOString() } },
    { roles: [...ROLES] },
  );

// Raw: the keys ended by the order have its time. Members get new keys with their next request.
const REVIVE_KEYS = `
update api_keys k set revoked_at = null, keeps_runs = false from erasures e
where e.id = $1 and k.workspace_id in (select id from workspaces where e.workspace_id in (id, live_workspace_id)) and k.member_user_id is null and k.revoked_at = e.created_at returning k.id`;
