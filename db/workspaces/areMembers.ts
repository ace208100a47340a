import type { Transaction } from '../postgres/rows.ts';

/** Whether all of these people are members of the workspace; none are named: yes. */
export async function areMembers(
  { em, Member, workspaceId }: Transaction,
  userIds: string[] | null | undefined,
): Promise<boolean> {
  if (!userIds) return true;
  return (await em.count(Member, { workspaceId, userId: { $in: userIds } })) === userIds.length;
}
