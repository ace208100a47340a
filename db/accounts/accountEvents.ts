import { audit, type Actor } from '../workspaces/audit.ts';
import type { Rows } from '../postgres/rows.ts';

type Entry = Parameters<typeof audit>[2];

/**
 * Audits a change of a person's account or of a workspace's members. A change about a mail address is recorded if a person has the
 * address.
 */
export function recordAccountEvent(
  everywhere: Rows<undefined>,
  by: Actor,
  event: Entry | { action: string; email: string },
): Promise<void> {
  return everywhere.transaction(async (tx) => {
    if (!('email' in event)) return audit(tx, by, event);
    const user = await tx.em.findOne(tx.User, { email: event.email });
    if (!user) return;
    await audit(tx, by, { workspaceId: null, action: event.action, subjectType: 'user', subjectId: user.id });
  });
}
