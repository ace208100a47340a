import { addressOfCompany, providerSession } from '../../base/errors/keyErrors.ts';
import type { SignedIn } from '../../db/accounts/consoleSession.ts';
import { isHeldByCompany } from '../../db/singleSignOn/breakGlass.ts';
import { findInvitedTo } from '../../db/accounts/members.ts';
import { workspaceNotAllowed } from '../../base/errors/keyErrors.ts';
import type { Context } from '../context.ts';
import { checkOpens, checkRecent, memberAt } from '../guard/session.ts';
import type { Services } from '../services.ts';
import type { AccountInput } from './accountSchema.ts';

/** What changes how a person signs in, or concerns other workspaces: a provider of one workspace must not reach it. */
const OF_PERSON =
  /^(?:link-social|unlink-account|change-email|change-password|two-factor\/.*|passkey\/(?:generate-register-options|verify-registration|update-passkey|delete-passkey)|organization\/(?:list|list-user-invitations|get-invitation|accept-invitation|reject-invitation))$/;

// Paths that add or change a way to sign in. They need a recent sign-in: a stolen old session must not become a lasting one.
const WAYS_IN =
  /^(?:link-social|change-email|two-factor\/(?:enable|disable|generate-backup-codes)|passkey\/(?:generate-register-options|verify-registration))$/;

// A person may go to another of their workspaces, whatever the present one asks for.
const ALWAYS: ReadonlySet<string> = new Set(['set-active', 'leave', 'list', 'list-user-invitations']);
// Of an invited person, who is not a member yet.
const OF_INVITED: ReadonlySet<string> = new Set(['get-invitation', 'accept-invitation', 'reject-invitation']);

/**
 * Throws 403 for what the session may not do: an old one adds no way to sign in; a session of an identity provider changes nothing about its
 * person, and nothing in other workspaces; and a session that lacks what a workspace asks for changes nothing there, whichever workspace the
 * request names. Returns the workspace whose members the request concerns; undefined where it concerns none.
 */
export async function checkReach(
  services: Services,
  ctx: Context,
  { path, input, member }: { path: string; input: AccountInput; member: SignedIn | null },
): Promise<string | undefined> {
  if (!member) return undefined;
  if (member.ssoWorkspaceId !== null && OF_PERSON.test(path)) throw providerSession();
  if (WAYS_IN.test(path)) checkRecent(ctx, member);
  if (path === 'change-email' && (await isHeldByCompany(services.db.everywhere, member.userId)))
    throw addressOfCompany();
  const [room, action = ''] = path.split('/');
  if (room !== 'organization') return undefined;
  const named = await namedIn(services.db, ctx, { action, input });
  if (OF_INVITED.has(action)) return named;
  const there = await memberAt(services, ctx, named ?? member.liveWorkspaceId);
  // To others the library answers that they are no members.
  if (there === null && member.ssoWorkspaceId !== null) throw workspaceNotAllowed();
  if (there !== null && !ALWAYS.has(action)) checkOpens(there);
  return named ?? member.liveWorkspaceId;
}

/** As the library finds it: an invitation says its workspace, whatever else is sent. */
async function namedIn(
  { everywhere }: Services['db'],
  ctx: Context,
  { action, input }: { action: string; input: AccountInput },
): Promise<string | undefined> {
  const { organizationId, invitationId } = input as { organizationId?: unknown; invitationId?: unknown };
  if (OF_INVITATION.test(action))
    return typeof invitationId === 'string' ? findInvitedTo(everywhere, invitationId) : undefined;
  if (typeof organizationId === 'string' && organizationId !== '') return organizationId;
  return new URLSearchParams(ctx.querystring).get('organizationId') || undefined;
}

const OF_INVITATION = /-invitation$/;

// They act on the workspace that they name; without one, on that of the session, which may be another one than the page's.
const OF_WORKSPACE: ReadonlySet<string> = new Set([
  'organization/list-members',
  'organization/list-invitations',
  'organization/invite-member',
  'organization/update-member-role',
  'organization/remove-member',
]);

/** The workspace that a request must name, because it was checked for that one; undefined where the library knows it otherwise. */
export const namedFor = (path: string, target: string | undefined): { organizationId: string } | undefined =>
  target !== undefined && OF_WORKSPACE.has(path) ? { organizationId: target } : undefined;
