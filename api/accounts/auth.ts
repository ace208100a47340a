import { passkey } from '@better-auth/passkey';
import type { BetterAuthOptions } from 'better-auth';
import { betterAuth } from 'better-auth/minimal';
import { magicLink, organization } from 'better-auth/plugins';
import { createAccessControl } from 'better-auth/plugins/access';
import { APIError } from 'better-auth/api';
import { MEMBERS_MAX, OPEN_INVITATIONS_MAX } from '../../db/accounts/members.ts';
import { ROLES, type Role } from '../../db/keys/roles.ts';
import { newId } from '../../db/ids.ts';
import type { Services } from '../services.ts';
import { accountAdapter } from './adapter.ts';
import { claimCode } from './usedCodes.ts';
import { AUTH_PATH, cookiePrefixOf, originOf, SESSION_DAYS } from '../guard/cookie.ts';
import { createAccountMails } from './mails.ts';
import { hashPassword, PASSWORD_LENGTH, verifyPassword } from './passwords.ts';
import type { SignInProvider } from '../../providers/signIn/config.ts';
import { hooksOf, LINKING, openIdOf, secondFactor, validateUserInfo, vendorsOf } from './signInProviders.ts';
import { identityProviders } from './identityProviders.ts';
import { tellPerson } from './signInAudit.ts';
import { noteFault, noteVerified, originOfSession, rowsOfRequest } from './signInContext.ts';
import { secretsOf } from './accountSecrets.ts';

const DAY_SECONDS = 86_400;
const INVITATION_DAYS = 7;
const HIDDEN = { type: 'string', required: false, input: false, returned: false } as const;
const RESET_SECONDS = 3_600;

/** Answers the account requests of the console. */
export type AuthHandler = (request: Request) => Promise<Response>;

/**
 * Opens the accounts library on our tables, cookies and mails. It is loaded with this file, at the first request. With an OpenID provider
 * it first reads the provider's configuration.
 */
export async function openAuth(
  { db, config, mailer, log, accountSecret }: Services,
  providers: readonly SignInProvider[],
): Promise<AuthHandler> {
  const mails = createAccountMails(mailer, config.publicUrl);
  const auth = betterAuth({
    appName: 'Ledgerline',
    baseURL: originOf(config.publicUrl),
    basePath: AUTH_PATH,
    ...secretsOf(accountSecret),
    database: accountAdapter(rowsOfRequest(db.everywhere), { keys: config.catalogKeys, publicUrl: config.publicUrl }),
    trustedOrigins: config.singleSignOn.privateOrigins,
    telemetry: { enabled: false },
    logger: { log: (level, message) => log[level === 'error' ? 'warn' : 'debug']({ event: 'accounts' }, message) },
    // Limited by account and by address in `throttling.ts`.
    rateLimit: { enabled: false },
    verification: { storeIdentifier: 'hashed' },
    session: {
      expiresIn: SESSION_DAYS * DAY_SECONDS,
      freshAge: 0,
      additionalFields: { method: HIDDEN, ssoWorkspaceId: HIDDEN },
    },
    emailAndPassword: passwordsOf(mails),
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: true,
      sendVerificationEmail: ({ user, url }) => mails.sendVerification(user.email, url),
    },
    socialProviders: vendorsOf(providers),
    account: LINKING,
    databaseHooks: {
      ...hooksOf((account) => tellPerson({ db, mails }, account, nameOf(providers, account.providerId))),
      session: {
        create: {
          before: async (session) => {
            await claimCode(db.pool, session.userId);
            return { data: { ...session, ...originOfSession() } };
          },
        },
      },
    },
    // Without a page of its own in the request, a failed sign-in leads to the form.
    onAPIError: { errorURL: new URL('/sign-in', config.publicUrl).href, onError: noteFault },
    user: {
      validateUserInfo,
      changeEmail: {
        enabled: true,
        sendChangeEmailConfirmation: ({ user, newEmail, url }) => mails.sendAddressChange(user.email, newEmail, url),
      },
    },
    advanced: advancedOf(config.publicUrl, log),
    plugins: [
      organizations(mails),
      secondFactor(),
      openIdOf(providers),
      identityProviders(rowsOfRequest(db.everywhere)),
      links(),
      passkeys(config.publicUrl),
    ],
  });
  return auth.handler;
}

/** Passwords, and the mails about them. */
function passwordsOf(mails: ReturnType<typeof createAccountMails>): BetterAuthOptions['emailAndPassword'] {
  return {
    enabled: true,
    // Required so that a sign-up answers the same for a known address.
    requireEmailVerification: true,
    minPasswordLength: PASSWORD_LENGTH.min,
    maxPasswordLength: PASSWORD_LENGTH.max,
    password: { hash: hashPassword, verify: verifyPassword },
    resetPasswordTokenExpiresIn: RESET_SECONDS,
    revokeSessionsOnPasswordReset: true,
    sendResetPassword: ({ user, token }) => mails.sendReset(user.email, token),
    onExistingUserSignUp: ({ user }) => mails.sendKnownAddress(user.email),
    onPasswordReset: ({ user }) => mails.sendPasswordChanged(user.email),
  };
}

/** Cookies, ids and addresses. */
function advancedOf(publicUrl: string, log: Services['log']): BetterAuthOptions['advanced'] {
  return {
    cookiePrefix: cookiePrefixOf(publicUrl),
    useSecureCookies: false,
    defaultCookieAttributes: { sameSite: 'strict', httpOnly: true, secure: publicUrl.startsWith('https:'), path: '/' },
    // The provider's page leads back, which is a navigation from another site.
    cookies: { state: { attributes: { sameSite: 'lax' } } },
    // An earlier guard refuses writes of other origins.
    disableCSRFCheck: true,
    disableOriginCheck: false,
    ipAddress: { ipAddressHeaders: ['x-client-address'] },
    database: { generateId: ({ model }) => newId(ID_PREFIXES[model] ?? 'acc') },
    // The response time must not reveal whether a mail was sent.
    backgroundTasks: { handler: (task) => void task.catch((err) => log.warn({ err }, 'a mail was not sent')) },
  };
}

const nameOf = (providers: readonly SignInProvider[], id: string) => providers.find((one) => one.id === id)?.name;

const ID_PREFIXES: Record<string, string> = {
  user: 'user',
  session: 'ses',
  account: 'cred',
  verification: 'ver',
  twoFactor: 'tfa',
  passkey: 'pk',
  member: 'mem',
  invitation: 'inv',
};

const statements = {
  organization: ['update'],
  member: ['create', 'update', 'delete'],
  invitation: ['create', 'cancel'],
} as const;

/** Workspaces, as the library's organisations. We create them together with their accounts. */
function organizations(mails: ReturnType<typeof createAccountMails>) {
  const ac = createAccessControl(statements);
  const plain = ac.newRole({ organization: [], member: [], invitation: [] });
  const owner = ac.newRole({
    organization: ['update'],
    member: ['create', 'update', 'delete'],
    invitation: ['create', 'cancel'],
  });
  return organization({
    ac,
    roles: { owner, developer: plain, finance: plain, publisher: plain },
    creatorRole: 'owner',
    allowUserToCreateOrganization: false,
    membershipLimit: MEMBERS_MAX,
    invitationLimit: OPEN_INVITATIONS_MAX,
    invitationExpiresIn: INVITATION_DAYS * DAY_SECONDS,
    cancelPendingInvitationsOnReInvite: true,
    requireEmailVerificationOnInvitation: true,
    sendInvitationEmail: ({ id, email, organization: { name }, inviter, role }) =>
      mails.sendInvitation({ to: email, id, workspaceName: name, inviterName: inviter.user.name, role }),
    organizationHooks: {
      beforeCreateInvitation: async ({ invitation }) => checkRole(invitation.role),
      beforeUpdateMemberRole: async ({ newRole }) => checkRole(newRole),
    },
    schema: {
      session: { fields: { activeOrganizationId: 'activeWorkspaceId' } },
      member: { fields: { organizationId: 'workspaceId' } },
      invitation: { fields: { organizationId: 'workspaceId' } },
    },
  });
}

function checkRole(role: unknown): void {
  if (ROLES.includes(role as Role)) return;
  throw new APIError('BAD_REQUEST', { code: 'invalid_role', message: `role must be one of ${ROLES.join(', ')}.` });
}

// Only the command line creates these links: they cannot be requested by mail.
const links = () => magicLink({ disableSignUp: true, storeToken: 'hashed', sendMagicLink: () => {} });

/** Passkeys belong to a host name: "localhost" for a local address. */
function passkeys(publicUrl: string) {
  const { hostname } = new URL(publicUrl);
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  return passkey({
    rpID: isAddress ? 'localhost' : hostname,
    rpName: 'Ledgerline',
    registration: {
      afterVerification: ({ verification }) => noteVerified(verification.registrationInfo?.userVerified === true),
    },
    authentication: {
      afterVerification: ({ verification }) => noteVerified(verification.authenticationInfo.userVerified),
    },
  });
}
