import type { Rows } from '../postgres/rows.ts';
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
    const { em, User, Member, IdentityProvider, MailDomain } = tx;
    const owned = await em.find(Member, { userId, role: 'owner' });
    if (owned.length === 0) return;
    const ids = owned.map(({ workspaceId }) => workspaceId);
    const enforced = await em.find(IdentityProvider, { workspaceId: ids, enforced: true });
    const user = enforced.length > 0 ? await em.findOne(User, { id: userId }) : null;
    if (user === null) return;
    const domain = domainOf(user.email);
    for (const { workspaceId } of enforced) {
      if ((await em.count(MailDomain, { workspaceId, domain, verifiedAt: { $ne: null } })) === 0) continue;
      const subject = { subjectType: 'user', subjectId: userId };
      await audit(tx, by, { workspaceId, action: 'break_glass_sign_in', ...subject, detail: { method } });
    }
  });
}
