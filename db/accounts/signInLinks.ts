import { endLogins } from '../keys/endLogins.ts';
import { hash } from 'node:crypto';
import { newId, randomText } from '../ids.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { audit, type Actor } from '../workspaces/audit.ts';

const TOKEN_CHARACTERS = 40;
const LINK_HOURS = 24;

/** The prefix of a link, before the token. */
const PATH = '/console/v1/auth/magic-link/verify';

/**
 * The path of a link that signs a person in, once and within a day. Only its hash is stored, in the accounts library's form.
 */
async function addSignInPath({ em, Verification, sql }: AnyTransaction, email: string): Promise<string> {
  const token = randomText(TOKEN_CHARACTERS);
  await em.insert(Verification, {
    id: newId('ver'),
    identifier: hashed(`magic-link:${hashed(token)}`),
    value: JSON.stringify({ type: 'magic-link', email }),
    expiresAt: sql`now() + make_interval(hours => ${LINK_HOURS})`,
  });
  return `${PATH}?token=${token}&callbackURL=${encodeURIComponent('/')}`;
}

const hashed = (text: string): string => hash('sha256', text, 'base64url');

/** The path of a new link for a person, audited, or undefined for an unknown address. */
export function makeSignInPath(everywhere: Rows<undefined>, email: string, by: Actor): Promise<string | undefined> {
  return everywhere.transaction(async (tx) => {
    const user = await tx.em.findOne(tx.User, { email: email.toLowerCase() });
    if (!user) return undefined;
    await auditPerson(tx, by, 'make_sign_in_link', user.id);
    return addSignInPath(tx, user.email);
  });
}

const auditPerson = (tx: AnyTransaction, by: Actor, action: string, userId: string): Promise<void> =>
  audit(tx, by, { workspaceId: null, action, subjectType: 'user', subjectId: userId });

/**
 * Creates the first person: an operator, and the owner of the first workspace. Returns the path of a link for them until they have signed
 * in; then null.
 */
export function makeFirstOwner(
  everywhere: Rows<undefined>,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<string | null> {
  return everywhere.transaction(async (tx) => {
    const { em, User, Member, client } = tx;
    await client.query('lock table users in share row exclusive mode');
    const [first] = await em.find(User, {}, { orderBy: { createdAt: 'asc', id: 'asc' }, limit: 1 });
    // Using a link proves the address.
    if (first) return first.isOperator && !first.emailVerified ? addSignInPath(tx, first.email) : null;
    const userId = newId('user');
    await em.insert(User, { id: userId, name: 'Owner', email: email.toLowerCase(), isOperator: true });
    await em.insert(Member, { id: newId('mem'), workspaceId, userId, role: 'owner' });
    return addSignInPath(tx, email.toLowerCase());
  });
}

/**
 * Makes a person an operator of the platform, or revokes that, with the keys of their logins as one; audited. False: the address is
 * unknown.
 */
export const setOperator = (
  everywhere: Rows<undefined>,
  email: string,
  { isOperator, by }: { isOperator: boolean; by: Actor },
): Promise<boolean> =>
  everywhere.transaction(async (tx) => {
    const lockMode = tx.LockMode.PESSIMISTIC_WRITE;
    const user = await tx.em.findOne(tx.User, { email: email.toLowerCase() }, { lockMode });
    if (!user) return false;
    await auditPerson(tx, by, isOperator ? 'grant_operator' : 'withdraw_operator', user.id);
    await tx.em.nativeUpdate(tx.User, { id: user.id }, { isOperator });
    await endLogins(tx, user.id);
    return true;
  });
