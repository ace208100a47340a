import { recordAccountEvent } from '../../db/accounts/accountEvents.ts';
import type { SignedIn } from '../../db/accounts/consoleSession.ts';
import type { AnyTransaction } from '../../db/postgres/rows.ts';
import { audit } from '../../db/workspaces/audit.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';
import type { AccountInput } from './accountSchema.ts';
import { contextOf, type RequestAudit } from './signInContext.ts';

const RESET = 'reset-password';

/** The audited endpoints, each with the writes that may be its act. `enable` only begins a setup that the first code completes. */
const ACTIONS: Record<string, { action: string; acts: string[] }> = {
  [RESET]: { action: 'reset_password', acts: ['change account', 'create account'] },
  'change-password': { action: 'change_password', acts: ['change account'] },
  // Its act is a mail.
  'change-email': { action: 'request_address_change', acts: [] },
  'two-factor/enable': { action: 'begin_second_factor', acts: ['create twoFactor', 'change twoFactor'] },
  // A later code only signs in, and changes no person.
  'two-factor/verify-totp': { action: 'enable_second_factor', acts: ['change user'] },
  'two-factor/disable': { action: 'disable_second_factor', acts: ['change user'] },
  'two-factor/generate-backup-codes': { action: 'renew_recovery_codes', acts: ['change twoFactor'] },
  'unlink-account': { action: 'remove_provider', acts: ['remove account'] },
  'passkey/verify-registration': { action: 'add_passkey', acts: ['create passkey'] },
  'passkey/delete-passkey': { action: 'remove_passkey', acts: ['remove passkey'] },
  'organization/invite-member': { action: 'invite_member', acts: ['create invitation', 'change invitation'] },
  'organization/cancel-invitation': { action: 'cancel_invitation', acts: ['change invitation'] },
  'organization/accept-invitation': { action: 'accept_invitation', acts: ['create member'] },
  'organization/update-member-role': { action: 'change_role', acts: ['change member'] },
  'organization/remove-member': { action: 'remove_member', acts: ['remove member'] },
  'organization/leave': { action: 'leave_workspace', acts: ['remove member'] },
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

/**
 * The audit of a request that changes a person's account, or the members of the workspace: the adapter writes it in the
 * transaction of its act. Undefined for one that is not audited.
 */
export function auditOfRequest(
  ctx: Context,
  { path, input, workspaceId }: { path: string; input: AccountInput; workspaceId: string | null },
  member: SignedIn | null,
): RequestAudit | undefined {
  const { action, acts } = ACTIONS[path] ?? {};
  if (action === undefined || acts === undefined || (member === null && path !== RESET)) return undefined;
  const detail = Object.fromEntries(DETAILS.flatMap((name) => (name in input ? [[name, input[name]]] : [])));
  const { requestId } = ctx.state;
  return {
    acts,
    isWritten: false,
    write: (tx, owner) => {
      // Who resets a password is known by the password that is changed.
      const userId = member?.userId ?? owner!;
      const subject =
        workspaceId === null
          ? { subjectType: 'user', subjectId: userId }
          : { subjectType: 'workspace', subjectId: workspaceId };
      const entry = { workspaceId, action, ...subject, ...(path !== RESET && { detail }) };
      return audit(tx, { keyId: null, userId, requestId }, entry);
    },
  };
}

/** Writes the audits of a write to a table of accounts: of the request whose act it is, and of a provider that now signs a person in. */
export async function auditWrite(
  tx: AnyTransaction,
  act: string,
  { userId, providerId }: { userId?: unknown; providerId?: unknown },
): Promise<void> {
  const context = contextOf();
  const due = context?.audit;
  if (due && !due.isWritten && due.acts.includes(act)) {
    due.isWritten = true;
    await due.write(tx, userId as string | undefined);
  }
  if (act !== 'create account' || typeof providerId !== 'string' || !isVendor(providerId)) return;
  const by = { keyId: null, userId: userId as string, requestId: context?.requestId ?? '' };
  const subject = { subjectType: 'user', subjectId: by.userId };
  await audit(tx, by, { workspaceId: null, action: 'add_provider', ...subject, detail: { provider: providerId } });
}

/** Whether a write of the request is audited, so that it needs a transaction. */
export const isAudited = (act: string): boolean =>
  act === 'create account' || contextOf()?.audit?.acts.includes(act) === true;

/** A password is no provider, and those of workspaces have audits of their own. */
const isVendor = (providerId: string): boolean => providerId !== 'credential' && !providerId.startsWith('idp_');

/** Audits that attempts on an account were blocked: once per window, and only for accounts that exist. */
export async function auditGuesses({ db }: Services, ctx: Context, email: string): Promise<void> {
  const by = { keyId: null, requestId: ctx.state.requestId };
  await recordAccountEvent(db.everywhere, by, { action: 'sign_in_stopped', email });
}
