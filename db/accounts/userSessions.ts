import type { InferEntity } from '@mikro-orm/core';
import type { UserSession } from '../entities/person.ts';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { Rows } from '../postgres/rows.ts';
import { hashSessionToken, type SignedIn } from './consoleSession.ts';

type UserSessionRow = InferEntity<typeof UserSession>;

/** Whose sessions: a session of an identity provider knows those of its workspace alone. */
type Holder = Pick<SignedIn, 'userId' | 'ssoWorkspaceId'>;

const heldBy = ({ userId, ssoWorkspaceId }: Holder) => ({ userId, ...(ssoWorkspaceId !== null && { ssoWorkspaceId }) });

/** The open sessions of a person, newest first. */
export const listUserSessions = (everywhere: Rows<undefined>, holder: Holder): Promise<UserSessionRow[]> =>
  everywhere.statement(({ em, UserSession, sql }) =>
    em.find(
      UserSession,
      { ...heldBy(holder), expiresAt: { $gt: sql.now() } },
      { orderBy: { createdAt: 'desc', id: 'desc' } },
    ),
  );

/** Ends sessions of a person: one, or all but one. Returns how many. */
export const endUserSessions = (
  everywhere: Rows<undefined>,
  holder: Holder,
  which: { id: string } | { butId: string },
): Promise<number> =>
  everywhere.statement(({ em, UserSession }) =>
    em.nativeDelete(UserSession, {
      ...heldBy(holder),
      id: 'id' in which ? which.id : { $ne: which.butId },
    }),
  );

/** Ends the session of a token, if it is open. */
export const endSessionOf = (everywhere: Rows<undefined>, token: string): Promise<number> =>
  everywhere.statement(({ em, UserSession }) => em.nativeDelete(UserSession, { token: hashSessionToken(token) }));

/** The session has proved a passkey, which its person added with it. */
export const markStrong = (everywhere: Rows<undefined>, id: string): Promise<number> =>
  everywhere.statement(({ em, UserSession }) => em.nativeUpdate(UserSession, { id }, { method: 'passkey' }));

/** Deletes expired sessions and proofs, with their addresses. Returns how many. */
export const pruneSignIns = (everywhere: Rows<undefined>): Promise<number> =>
  everywhere.statement(
    async ({ client }) =>
      (await deleteInPortions(client, 'user_sessions', EXPIRED)) +
      (await deleteInPortions(client, 'verifications', EXPIRED)),
  );

const EXPIRED = 'expires_at < now()';

/** An open session, by its token: of whom, and of which workspace's identity provider, if any. Null: there is none. */
export const findSession = (
  everywhere: Rows<undefined>,
  token: string,
): Promise<{ userId: string; ssoWorkspaceId: string | null } | null> =>
  everywhere.statement(({ em, UserSession }) => em.findOne(UserSession, { token: hashSessionToken(token) }));

/** How many passwords, providers and passkeys a person signs in with, and their address. */
export function countWaysIn(everywhere: Rows<undefined>, userId: string): Promise<{ email: string; count: number }> {
  return everywhere.transaction(async ({ em, User, Credential, Passkey }) => {
    const { email } = await em.findOneOrFail(User, { id: userId });
    return { email, count: (await em.count(Credential, { userId })) + (await em.count(Passkey, { userId })) };
  });
}
