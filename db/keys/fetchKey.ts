import { newId } from '../ids.ts';
import type { RowsOfAll, Transaction } from '../postgres/rows.ts';
import { isTestWorkspace } from '../workspaces/mode.ts';
import type { DeviceLoginRow } from './deviceLogins.ts';
import type { KeyUsage } from './keyUsage.ts';
import { readKeyMakers, type KeyMaker } from './keyMakers.ts';
import { makeKey } from './manageKeys.ts';

/** A key made at a device login, with its secret. */
export interface FetchedKey {
  key: KeyUsage;
  secret: string;
  workspaceId: string;
  maker: KeyMaker;
}

/**
 * Makes the key of an approved login, in the transaction that marks the login as used: of several callers one gets it. `denied`: its person
 * may no longer make this key. Audited as made by the person.
 */
export function fetchApprovedKey(
  { write }: Pick<RowsOfAll, 'write'>,
  { id: loginId, workspaceId }: { id: string; workspaceId: string },
  requestId: string,
): Promise<FetchedKey | 'ended' | 'denied'> {
  return write(workspaceId).transaction(async (tx) => {
    const { em, sql, DeviceLogin, LockMode } = tx;
    const open = { id: loginId, state: 'approved' as const, expiresAt: { $gt: sql.now() } };
    const login = await em.findOne(DeviceLogin, open, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!login) return 'ended';
    const maker = await makerOf(tx, login);
    const keyId = newId('key');
    const made = maker && (await makeKey(tx, { id: keyId, ...limitsOf(login), ...originOf(login, maker, requestId) }));
    if (!maker || typeof made !== 'object' || made.secret === null) {
      await em.nativeUpdate(DeviceLogin, { id: loginId }, { state: 'denied' });
      return 'denied';
    }
    await em.nativeUpdate(DeviceLogin, { id: loginId }, { state: 'used', keyId });
    return { key: made.key, secret: made.secret, workspaceId, maker };
  });
}

/** The person, if they may still make this key: the membership stays as it is until the key is made. */
async function makerOf({ client, workspaceId }: Transaction, login: DeviceLoginRow): Promise<KeyMaker | undefined> {
  const { scopes, projectId } = login.approvedKey!;
  const [maker] = await readKeyMakers(client, login.userId!, { workspaceId, isLocked: true });
  return maker && mayMake(maker, { workspaceId, scopes, projectId }) ? maker : undefined;
}

/** Whether a person may make such a key in the workspace, live or test. In test mode nobody is limited to projects. */
export const mayMake = (
  { grantable, projectIds }: KeyMaker,
  { workspaceId, scopes, projectId }: { workspaceId: string; scopes: readonly string[]; projectId: string | null },
): boolean =>
  scopes.length > 0 &&
  scopes.every((scope) => grantable.has(scope)) &&
  (projectIds === null || isTestWorkspace(workspaceId) || projectIds.includes(projectId ?? ''));

function limitsOf({ approvedKey }: DeviceLoginRow) {
  const { name, scopes, projectId, spendLimitNanos, spendLimitPeriod, expiresAt } = approvedKey!;
  return {
    name,
    scopes,
    projectId,
    spendLimitNanos: spendLimitNanos === null ? null : BigInt(spendLimitNanos),
    spendLimitPeriod,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  };
}

const originOf = ({ userId }: DeviceLoginRow, { name }: KeyMaker, requestId: string) => ({
  createdBy: name,
  origin: 'device_login' as const,
  ownerUserId: userId,
  by: { keyId: null, userId: userId!, requestId },
});
