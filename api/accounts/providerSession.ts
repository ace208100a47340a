import { providerSession } from '../../base/errors/keyErrors.ts';
import { findSignedIn, type SignedIn } from '../../db/accounts/consoleSession.ts';
import { findInvitedTo } from '../../db/accounts/members.ts';
import { workspaceNotAllowed } from '../../base/errors/keyErrors.ts';
import type { Context } from '../context.ts';
import { cookiePrefixOf, sessionTokenOf } from '../guard/cookie.ts';
import { checkOpens } from '../guard/session.ts';
import type { Services } from '../services.ts';
import type { AccountInput } from './accountSchema.ts';

/** What changes how a person signs in, or concerns other workspaces: a provider of one workspace must not reach it. */
const OF_PERSON =
  /^(?:link-social|unlink-account|change-email|change-password|two-factor\/.*|passkey\/(?:generate-register-options|verify-registration|update-passkey|delete-passkey)|organization\/(?:list|list-user-invitations|get-invitation|accept-invitation|reject-invitation))$/;

// A person may go to another of their workspaces, whatever the present one asks for.
const ALWAYS: ReadonlySet<string> = new Set(['set-active', 'leave', 'list', 'list-user-invitations']);
// Of an invited person, who is not a member yet.
const OF_INVITED: ReadonlySet<string> = new Set(['get-invitation', 'accept-invitation', 'reject-invitation']);

/**
 * Throws 403 for what the session may not do: a session of an identity provider changes nothing about its person, and nothing in other
 * workspaces; and a session that lacks what a workspace asks for changes nothing there, whichever workspace the request names.
 */
export async function checkReach(
  { db, config }: Services,
  ctx: Context,
  { path, input, member }: { path: string; input: AccountInput; member: SignedIn | null },
): Promise<void> {
  if (!member) return;
  if (member.ssoWorkspaceId !== null && OF_PERSON.test(path)) throw providerSession();
  const [room, action = ''] = path.split('/');
  if (room !== 'organization' || OF_INVITED.has(action)) return;
  const named = await namedIn(db, ctx, input);
  const wanted = named ?? member.key.workspaceId;
  const token = sessionTokenOf(ctx.req.headers, cookiePrefixOf(config.publicUrl))!;
  const there = await findSignedIn(db, token, wanted, config.sessionLimits);
  if (there === 'not_member' || there === null) {
    // To others the library answers that they are no members.
    if (member.ssoWorkspaceId !== null) throw workspaceNotAllowed();
    return;
  }
  if (!ALWAYS.has(action)) checkOpens(there);
}

async function namedIn({ everywhere }: Services['db'], ctx: Context, input: AccountInput): Promise<string | undefined> {
  const { organizationId, invitationId } = input as { organizationId?: unknown; invitationId?: unknown };
  if (typeof organizationId === 'string') return organizationId;
  if (typeof invitationId === 'string') return findInvitedTo(everywhere, invitationId);
  return new URLSearchParams(ctx.querystring).get('organizationId') ?? undefined;
}
