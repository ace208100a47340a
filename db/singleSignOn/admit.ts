import { removeMembers } from '../accounts/members.ts';
import { newId } from '../ids.ts';
import { endLogins } from '../keys/endLogins.ts';
import { ROLES, type Role } from '../keys/roles.ts';
import type { AnyRows, AnyTransaction } from '../postgres/rows.ts';
import { audit } from '../workspaces/audit.ts';
import { lockWorkspace } from '../workspaces/lockWorkspace.ts';
import { domainOf } from './mailDomains.ts';
import type { ProviderRow, ProviderWithDomains } from './providers.ts';

/** What a provider says of a person, after its signature was checked. */
export interface Asserted {
  /** The provider's own id of the person. */
  accountId: string;
  email: string;
  name: string;
  groups: string[];
  requestId: string;
}

/** Why a person is not signed in. */
export type NotAdmitted = 'sso_wrong_domain' | 'sso_no_role';

/** The strongest role of the groups, in the order of `ROLES`; without one the default role, or null. */
export function roleOf({ groupRoles, defaultRole }: ProviderRow, groups: readonly string[]): Role | null {
  const found = new Set(groupRoles.filter(({ group }) => groups.includes(group)).map(({ role }) => role));
  return ROLES.find((role) => found.has(role)) ?? (defaultRole as Role | null);
}

/** Whether a provider may speak for an address: its domain is one that the workspace has proved, exactly. */
export const speaksFor = ({ domains }: Pick<ProviderWithDomains, 'domains'>, email: string): boolean =>
  /^[^@\s]+@[^@\s]+$/.test(email) && domains.includes(domainOf(email));

/**
 * Finds or creates the person of an assertion, and makes them a member with the role of their groups, audited. Call it in the transaction
 * that begins the session.
 */
export async function admit(
  tx: AnyTransaction,
  provider: ProviderWithDomains,
  asserted: Asserted,
): Promise<{ userId: string } | NotAdmitted> {
  if (!speaksFor(provider, asserted.email)) return 'sso_wrong_domain';
  const role = roleOf(provider, asserted.groups);
  if (role === null) return 'sso_no_role';
  const userId = await findPerson(tx, provider, asserted);
  await setMember(tx, provider, { userId, role, requestId: asserted.requestId });
  return { userId };
}

/** By the provider's own id of them, then by their address. */
async function findPerson(tx: AnyTransaction, provider: ProviderRow, asserted: Asserted): Promise<string> {
  const { em, Credential, User } = tx;
  const known = await em.findOne(Credential, { providerId: provider.id, accountId: asserted.accountId });
  if (known) return known.userId;
  const user = await em.findOne(User, { email: asserted.email }, { lockMode: tx.LockMode.PESSIMISTIC_WRITE });
  if (user === null) return createPerson(tx, asserted);
  if (!user.emailVerified) await takeOver(tx, user.id);
  return user.id;
}

async function createPerson({ em, User }: AnyTransaction, { email, name }: Asserted): Promise<string> {
  const id = newId('user');
  await em.insert(User, { id, email, name: name.trim().slice(0, 100) || email.split('@')[0]!, emailVerified: true });
  return id;
}

/** A person who signed up with an address and never confirmed it loses every login: the domain says whose it is. */
async function takeOver({ em, ...tables }: AnyTransaction, userId: string): Promise<void> {
  for (const table of [
    tables.Credential,
    tables.Passkey,
    tables.TwoFactor,
    tables.UserSession,
  ] as (typeof tables.Passkey)[])
    await em.nativeDelete(table, { userId });
  await em.nativeUpdate(tables.User, { id: userId }, { emailVerified: true, twoFactorEnabled: false });
}

/** The last owner of a workspace stays one, whatever their groups. */
async function setMember(
  tx: AnyTransaction,
  { workspaceId, id: providerId }: ProviderRow,
  { userId, role, requestId }: { userId: string; role: Role; requestId: string },
): Promise<void> {
  const { em, Member } = tx;
  const note = (action: string, detail: object) =>
    audit(
      tx,
      { keyId: null, userId, requestId },
      {
        workspaceId,
        action,
        subjectType: 'user',
        subjectId: userId,
        detail: { provider: providerId, ...detail },
      },
    );
  // Serializes two owners who lose the role at the same time.
  await lockWorkspace(tx, workspaceId);
  const member = await em.findOne(Member, { workspaceId, userId });
  if (member === null) {
    const projectIds = await formerLimit(tx, workspaceId, userId);
    await em.insert(Member, { id: newId('mem'), workspaceId, userId, role, projectIds });
    return note('sso_add_member', { role, ...(projectIds && { project_ids: projectIds }) });
  }
  if (member.role === role) return;
  const isLast = member.role === 'owner' && (await em.count(Member, { workspaceId, role: 'owner' })) === 1;
  if (isLast) return note('sso_keep_last_owner', { role });
  await em.nativeUpdate(Member, { id: member.id }, { role });
  await endLogins(tx, userId);
  await note('sso_change_role', { before: member.role, after: role });
}

/**
 * Of a former member who was limited to projects, the one that their calls belonged to, otherwise null: leaving and coming back must not
 * open the others.
 */
async function formerLimit(
  { em, ApiKey }: AnyTransaction,
  workspaceId: string,
  memberUserId: string,
): Promise<string[] | null> {
  const own = { workspaceId, memberUserId };
  const [key] = await em.find(ApiKey, own, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: 1 });
  return key && key.projectId !== null ? [key.projectId] : null;
}

/**
 * Ends the membership of a person who has no role any more, with their keys and sessions of the provider, audited. The last owner stays
 * one, but is not signed in by the provider.
 */
export async function dismiss(
  rows: AnyRows,
  provider: ProviderWithDomains,
  { accountId, email, requestId }: Pick<Asserted, 'accountId' | 'email' | 'requestId'>,
): Promise<void> {
  const { workspaceId, id } = provider;
  await rows.transaction(async (tx) => {
    const { em, Credential, User, Member, UserSession } = tx;
    const known = await em.findOne(Credential, { providerId: id, accountId });
    const userId = known?.userId ?? (await em.findOne(User, { email }))?.id;
    if (userId === undefined) return;
    await em.nativeDelete(UserSession, { userId, ssoWorkspaceId: workspaceId });
    await lockWorkspace(tx, workspaceId);
    const member = await em.findOne(Member, { workspaceId, userId });
    if (member === null) return;
    const isLast = member.role === 'owner' && (await em.count(Member, { workspaceId, role: 'owner' })) === 1;
    if (!isLast) await removeMembers(tx, { id: member.id });
    const action = isLast ? 'sso_keep_last_owner' : 'sso_remove_member';
    const by = { keyId: null, userId, requestId };
    const subject = { subjectType: 'user', subjectId: userId };
    await audit(tx, by, { workspaceId, action, ...subject, detail: { provider: id } });
  }, workspaceId);
}
