import type { AnyTransaction } from '../postgres/rows.ts';
import { audit } from '../workspaces/audit.ts';
import { mayMake } from './fetchKey.ts';
import { readKeyMakers } from './keyMakers.ts';
import { revokeWithin } from './keyStore.ts';

/** The platform itself: whoever changed the person's rights has an entry of their own. */
const bySystem = { keyId: 'system', requestId: 'system' };

/**
 * Revokes the keys of a person's device logins that they could not make any more: call it after a change of their rights, in its
 * transaction. Such a key acts in the person's name on a machine of theirs, so it may do no more than they may. Audited.
 */
export async function endLogins(tx: AnyTransaction, userId: string): Promise<void> {
  const own = { ownerUserId: userId, origin: 'device_login' as const, revokedAt: null };
  for (const key of await tx.em.find(tx.ApiKey, own, { orderBy: { id: 'asc' } })) {
    const { id, workspaceId } = key;
    const [maker] = await readKeyMakers(tx.client, userId, { workspaceId });
    if (maker && mayMake(maker, key)) continue;
    if (!(await revokeWithin(tx, id))) continue;
    await audit(tx, bySystem, { workspaceId, action: 'revoke_key', subjectType: 'api_key', subjectId: id, detail: {} });
  }
}
