import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { audit, type Actor } from '../workspaces/audit.ts';
import { domainOf } from './mailDomains.ts';

/**
 * Audits a sign-in past the identity provider, in each workspace of which the person is an owner and that enforces one for their mail
 * domain.
 */
export function noteBreakGlass(
  everywhere: Rows<undefined>,
  { userId, method, by }: { userId: string; method: string; by: Actor },
): Promise<void> {
  return everywhere.transaction(async (tx) => {
    for (const workspaceId of await listEnforcing(tx, { userId, role: 'owner' })) {
      const subject = { subjectType: 'user', subjectId: userId };
      await audit(tx, by, { workspaceId, action: 'break_glass_sign_in', ...subject, detail: { method } });
    }
  });
}

/** Whether a workspace of a person enforces its provider for the domain of their mail address. */
export const isHeldByCompany = (everywhere: Rows<undefined>, userId: string): Promise<boolean> =>
  everywhere.transaction(async (tx) => (await listEnforcing(tx, { userId })).length > 0);

/** The workspaces of a membership that enforce a provider for the person's mail domain. */
async function listEnforcing(
  { em, User, Member, IdentityProvider, MailDomain }: AnyTransaction,
  whose: { userId: string; role?: 'owner' },
): Promise<string[]> {
  const members = await em.find(Member, whose);
  const ids = members.map(({ workspaceId }) => workspaceId);
  const enforced = await em.find(IdentityProvider, { workspaceId: ids, enforced: true });
  const user = enforced.length > 0 ? await em.findOne(User, { id: whose.userId }) : null;
  if (user === null) return [];
  const workspaceId = enforced.map((one) => one.workspaceId);
  const domain = domainOf(user.email);
  const claimed = await em.find(MailDomain, { workspaceId, domain, verifiedAt: { $ne: null } });
  return claimed.map((one) => one.workspaceId);
}
