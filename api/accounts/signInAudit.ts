import { STRONG_METHODS, type SignedIn } from '../../db/accounts/consoleSession.ts';
import { noteBreakGlass } from '../../db/singleSignOn/breakGlass.ts';
import { recordAccountEvent } from '../../db/accounts/accountEvents.ts';
import { countWaysIn, findSession, markStrong } from '../../db/accounts/userSessions.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';
import { createAccountMails } from './mails.ts';

/** The endpoint that signs in by a passkey. */
export const PASSKEY = 'passkey/verify-authentication';

/** How a person signed in, by the endpoint that began the session; a provider's sign-in by its name. */
const METHODS: Record<string, string> = {
  'sign-in/email': 'password',
  'two-factor/verify-totp': 'second_factor',
  'two-factor/verify-backup-code': 'recovery_code',
  [PASSKEY]: 'passkey',
  'magic-link/verify': 'link',
  'verify-email': 'link',
};

/**
 * How a session begins by this endpoint; undefined for one that begins none. A passkey whose device has not asked for a PIN or a
 * fingerprint proves only that somebody holds it: `unverified_passkey`, which is one factor.
 */
export function methodOf({ path, isUserVerified }: { path: string; isUserVerified?: boolean }): string | undefined {
  if (path === PASSKEY && !isUserVerified) return 'unverified_passkey';
  return METHODS[path] ?? PROVIDERS.exec(path)?.[1];
}

const PROVIDERS = /^(?:callback|sso\/callback|sso\/saml2\/sp\/acs)\/([^/]+)$/;

/**
 * Audits that a session began: of whom, and by what. One by a workspace's identity provider is in that workspace's audit. A session that
 * replaces another one of the same person is no sign-in.
 */
export async function auditSignIn(
  { db }: Pick<Services, 'db'>,
  ctx: Context,
  { method, token, before }: { method: string | undefined; token: string; before: string | undefined },
): Promise<void> {
  if (method === undefined) return;
  const session = await findSession(db.everywhere, token);
  if (session === null) return;
  const { userId, ssoWorkspaceId: workspaceId } = session;
  const by = { keyId: null, userId, requestId: ctx.state.requestId };
  // Also where it replaces another one: that one may have opened less.
  if (STRONG_METHODS.includes(method)) await noteBreakGlass(db.everywhere, { userId, method, by });
  if (userId === before) return;
  const subject = { subjectType: 'user', subjectId: userId };
  await recordAccountEvent(db.everywhere, by, { workspaceId, action: 'sign_in', ...subject, detail: { method } });
}

/** A session of the person has proved a passkey, which they added with it: from now on it opens as much as a sign-in by that. */
export async function proveStrong(
  { db }: Pick<Services, 'db'>,
  ctx: Context,
  { userId, sessionId }: Pick<SignedIn, 'userId' | 'sessionId'>,
): Promise<void> {
  const by = { keyId: null, userId, requestId: ctx.state.requestId };
  await db.everywhere.transaction(async (tx) => {
    await markStrong(tx, sessionId);
    await noteBreakGlass(tx, { userId, method: 'passkey', by });
  });
}

/** Tells a person of a provider's account that now signs them in, unless they have just signed up with it. */
export async function tellPerson(
  { db, mails }: { db: Services['db']; mails: ReturnType<typeof createAccountMails> },
  { userId }: { userId: string },
  name: string | undefined,
): Promise<void> {
  if (name === undefined) return;
  const { email, count } = await countWaysIn(db.everywhere, userId);
  if (count > 1) await mails.sendProviderAdded(email, name);
}

/** Mails a person about a change of how their account signs in: another person may have made it. A mail that is not sent is logged. */
export async function tellOfChange(
  { mailer, config }: Pick<Services, 'mailer' | 'config'>,
  path: string,
  { email }: Pick<SignedIn, 'email'>,
): Promise<void> {
  const send = TELLING[path];
  if (!send) return;
  const mails = createAccountMails(mailer, config.publicUrl);
  await mails[send](email).catch(() => {});
}

const TELLING: Partial<Record<string, 'sendPasswordChanged' | 'sendSecondFactorOff' | 'sendPasskeyAdded'>> = {
  'change-password': 'sendPasswordChanged',
  'two-factor/disable': 'sendSecondFactorOff',
  'passkey/verify-registration': 'sendPasskeyAdded',
};
