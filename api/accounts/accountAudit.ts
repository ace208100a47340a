import { recordAccountEvent } from '../../db/accounts/accountEvents.ts';
import { hasSecondFactor } from '../../db/accounts/members.ts';
import type { SignedIn } from '../../db/accounts/consoleSession.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';
import type { AccountInput } from './accountSchema.ts';

const FIRST_CODE = 'two-factor/verify-totp';
const ENABLED = 'enable_second_factor';

// The audited endpoints. `enable` only begins a setup that the first code completes.
const ACTIONS: Record<string, string> = {
  'change-password': 'change_password',
  'change-email': 'request_address_change',
  'two-factor/enable': 'begin_second_factor',
  'two-factor/disable': 'disable_second_factor',
  'two-factor/generate-backup-codes': 'renew_recovery_codes',
  'unlink-account': 'remove_provider',
  'passkey/verify-registration': 'add_passkey',
  'passkey/delete-passkey': 'remove_passkey',
  'organization/invite-member': 'invite_member',
  'organization/cancel-invitation': 'cancel_invitation',
  'organization/accept-invitation': 'accept_invitation',
  'organization/update-member-role': 'change_role',
  'organization/remove-member': 'remove_member',
  'organization/leave': 'leave_workspace',
};

// The audited details of a request. They contain no passwords, codes or tokens.
const DETAILS = [
  'email',
  'newEmail',
  'role',
  'memberId',
  'memberIdOrEmail',
  'invitationId',
  'organizationId',
  'id',
  'accountId',
];

/** Audits a change of a person's account, or of the members of the workspace `target`. */
export async function auditAccount(
  { db }: Services,
  ctx: Context,
  { path, input, target }: { path: string; input: AccountInput; target: string | undefined },
  member: SignedIn,
): Promise<void> {
  const action = path === FIRST_CODE ? await firstCodeOf(db, member) : ACTIONS[path];
  if (action === undefined) return;
  const detail = Object.fromEntries(DETAILS.flatMap((name) => (name in input ? [[name, input[name]]] : [])));
  const workspaceId = path.startsWith('organization/') ? (target ?? member.liveWorkspaceId) : null;
  const subject =
    workspaceId === null
      ? { subjectType: 'user', subjectId: member.userId }
      : { subjectType: 'workspace', subjectId: workspaceId };
  const by = { keyId: null, userId: member.userId, requestId: ctx.state.requestId };
  await recordAccountEvent(db.everywhere, by, { workspaceId, action, ...subject, detail });
}

/** What a code has done: the first one completes the setup, and a later one only signs in. */
const firstCodeOf = async (db: Services['db'], { userId, twoFactorEnabled }: SignedIn): Promise<string | undefined> =>
  !twoFactorEnabled && (await hasSecondFactor(db.everywhere, userId)) ? ENABLED : undefined;

/** Audits that attempts on an account were blocked: once per window, and only for accounts that exist. */
export async function auditGuesses({ db }: Services, ctx: Context, email: string): Promise<void> {
  const by = { keyId: null, requestId: ctx.state.requestId };
  await recordAccountEvent(db.everywhere, by, { action: 'sign_in_stopped', email });
}
