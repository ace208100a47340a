import type { AnyTransaction, Rows } from '../postgres/rows.ts';

/**
 * Ends the memberships of a workspace. If a person has no other workspace, their account is emptied: name, address, and every way to sign
 * in. Operators keep theirs.
 */
export function erasePeople(everywhere: Rows<undefined>, workspaceId: string): Promise<void> {
  return everywhere.transaction(async (tx) => {
    const { rows } = await tx.client.query<{ id: string; email: string }>(ONLY_HERE, [workspaceId]);
    for (const person of rows) await erasePerson(tx, person);
    const { em, Member, UserSession } = tx;
    await em.nativeUpdate(UserSession, { activeWorkspaceId: workspaceId }, { activeWorkspaceId: null });
    await em.nativeDelete(Member, { workspaceId });
  });
}

async function erasePerson(tx: AnyTransaction, { id: userId, email }: { id: string; email: string }): Promise<void> {
  const { em, User, UserSession, Credential, TwoFactor, Passkey, DeviceLogin } = tx;
  const { Invitation, EventMail, TestMail } = tx;
  for (const table of [UserSession, Credential, TwoFactor, Passkey, DeviceLogin] as (typeof UserSession)[])
    await em.nativeDelete(table, { userId });
  await em.nativeDelete(Invitation, { email });
  await em.nativeDelete(EventMail, { recipient: email });
  await em.nativeDelete(TestMail, { recipient: email });
  await tx.client.query(UNVERIFIED, [userId, `"${email}"`]);
  const emptied = { name: 'Erased person', email: `${userId}@erased.invalid`, emailVerified: false, image: null };
  await em.nativeUpdate(User, { id: userId }, { ...emptied, twoFactorEnabled: false });
  await tx.client.query(`set local ledgerline.erasing = 'on'`);
  await tx.client.query(`update audit_entries set detail = '{}' where subject_id = $1 and detail <> '{}'`, [userId]);
  await tx.client.query(`set local ledgerline.erasing = 'off'`);
}

// Raw: an address may have signs that are wildcards of `like`.
const UNVERIFIED = 'delete from verifications where value = $1 or strpos(value, $2) > 0';

// Raw: locks the persons: none can join another workspace until the end.
const ONLY_HERE = `
select u.id, u.email from users u
where u.id in (select user_id from members where workspace_id = $1) and not u.is_operator
  and not exists (select from members o where o.user_id = u.id and o.workspace_id <> $1)
order by u.id for update`;
