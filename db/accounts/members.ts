import { endLogins } from '../keys/endLogins.ts';
import { revokeWithin } from '../keys/keyStore.ts';
import type { AnyRows, Bound, Rows } from '../postgres/rows.ts';
import { openTestWorkspace } from '../testMode/testMode.ts';
import { idsInBothModes } from '../workspaces/workspaces.ts';
import { audit, type Actor } from '../workspaces/audit.ts';
import { lockWorkspace } from '../workspaces/lockWorkspace.ts';
import { addOwnWorkspace, lockUser } from './consoleSession.ts';
import type { Role } from '../keys/roles.ts';

/** A workspace of a person, and their role there. */
export interface Membership {
  workspaceId: string;
  name: string;
  logoFileId: string | null;
  role: Role;
}

/** The workspaces of a person, in the order in which they joined. */
export function listMemberships(everywhere: Rows<undefined>, userId: string): Promise<Membership[]> {
  return everywhere.transaction(async ({ em, Member, Workspace }) => {
    const members = await em.find(Member, { userId }, { orderBy: { createdAt: 'asc', id: 'asc' } });
    const workspaces = await em.find(Workspace, { id: { $in: members.map(({ workspaceId }) => workspaceId) } });
    const byId = new Map(workspaces.map((workspace) => [workspace.id, workspace]));
    return members.map(({ workspaceId, role }) => {
      const { name, logoFileId } = byId.get(workspaceId)!;
      return { workspaceId, name, logoFileId, role: role as Role };
    });
  });
}

/** The workspace of an invitation, or undefined. */
export const findInvitedTo = async (everywhere: Rows<undefined>, id: string): Promise<string | undefined> =>
  (await everywhere.statement(({ em, Invitation }) => em.findOne(Invitation, { id })))?.workspaceId;

/** Whether a person belongs to a workspace. */
export const isMember = async (rows: AnyRows, userId: string, workspaceId: string): Promise<boolean> =>
  (await rows.statement(({ em, Member }) => em.count(Member, { userId, workspaceId }))) > 0;

/** The mail addresses of people, by their ids. */
export async function readEmails(everywhere: Rows<undefined>, userIds: string[]): Promise<Map<string, string>> {
  const users = await everywhere.statement(({ em, User }) =>
    em.find(User, { id: userIds }, { fields: ['id', 'email'] }),
  );
  return new Map(users.map(({ id, email }) => [id, email]));
}

/** The most workspaces that one person owns. */
export const OWNED_WORKSPACES_MAX = 10;

/**
 * Creates a further workspace for a person, who becomes its owner, audited; the session continues there. Returns its id, or `too_many`.
 */
export function openWorkspace(
  everywhere: Rows<undefined>,
  { userId, sessionId, name, by }: { userId: string; sessionId: string; name: string; by: Actor },
): Promise<string> {
  return everywhere.transaction(async (tx) => {
    const { em, Member, UserSession } = tx;
    await lockUser(tx, userId);
    if ((await em.count(Member, { userId, role: 'owner' })) >= OWNED_WORKSPACES_MAX) return 'too_many';
    const workspaceId = await addOwnWorkspace(tx, userId, name);
    await em.nativeUpdate(UserSession, { id: sessionId }, { activeWorkspaceId: workspaceId });
    const subject = { subjectType: 'workspace', subjectId: workspaceId };
    await audit(tx, by, { workspaceId, action: 'create_workspace', ...subject, detail: { name } });
    return workspaceId;
  }, userId);
}

/** Switches a session to its person's live workspace, or to that workspace's test workspace. Returns its id. */
export function chooseMode(
  everywhere: Rows<undefined>,
  { sessionId: id, liveWorkspaceId }: { sessionId: string; liveWorkspaceId: string },
  mode: 'live' | 'test',
): Promise<string> {
  return everywhere.transaction(async (tx) => {
    const activeWorkspaceId = mode === 'test' ? await openTestWorkspace(tx, liveWorkspaceId) : liveWorkspaceId;
    await tx.em.nativeUpdate(tx.UserSession, { id }, { activeWorkspaceId });
    return activeWorkspaceId;
  });
}

/**
 * Removes members and ends their own keys and those of their device logins, and with them their calls and runs. Throws for the last owner of a workspace. Returns the number
 * removed.
 */
export function removeMembers(rows: AnyRows, where: object): Promise<number> {
  return rows.transaction(async (tx) => {
    const members = await tx.em.find(tx.Member, where);
    for (const { id, workspaceId, userId } of members) {
      await tx.em.nativeUpdate(tx.Member, { id }, { role: 'publisher' });
      await keepOwner(tx, id);
      await tx.em.nativeDelete(tx.Member, { id });
      const own = { workspaceId: await idsInBothModes(tx, workspaceId), memberUserId: userId, revokedAt: null };
      for (const key of await tx.em.find(tx.ApiKey, own)) await revokeWithin(tx, key.id);
      await endLogins(tx, userId);
    }
    return members.length;
  });
}

export const MEMBERS_MAX = 100;
export const OPEN_INVITATIONS_MAX = 100;

/** A workspace has as many of these as it may. */
export class WorkspaceFull extends Error {
  readonly of: 'members' | 'invitations';

  constructor(of: 'members' | 'invitations') {
    super(`A workspace has at most ${of === 'members' ? MEMBERS_MAX : OPEN_INVITATIONS_MAX} ${of}.`);
    this.of = of;
  }
}

/** A workspace would have no owner. */
export class LastOwner extends Error {}

/** After a change of a member: throws `LastOwner` if no owner is left. Serializes two owners who leave at the same time. */
export async function keepOwner(bound: Bound<unknown>, id: string): Promise<void> {
  const { em, Member } = bound;
  const { workspaceId } = await em.findOneOrFail(Member, { id });
  await lockWorkspace(bound, workspaceId);
  if ((await em.count(Member, { workspaceId, role: 'owner' })) === 0)
    throw new LastOwner('A workspace keeps one owner.');
}

/** Members by their roles, or by the ids of their persons. */
export type MembersBy = { roles: Role[] } | { userIds: string[] };

/** The confirmed mail addresses of these members. */
export function listAddresses(rows: AnyRows, workspaceId: string, by: MembersBy): Promise<string[]> {
  return rows.transaction(async ({ em, Member, User }) => {
    const wanted = 'roles' in by ? { role: { $in: by.roles } } : { userId: { $in: by.userIds } };
    const members = await em.find(Member, { workspaceId, ...wanted });
    const ids = members.map(({ userId }) => userId);
    const users = await em.find(User, { id: { $in: ids }, emailVerified: true }, { orderBy: { email: 'asc' } });
    return users.map(({ email }) => email);
  });
}
