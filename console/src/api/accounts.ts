import { sendJson } from './client.ts';

/** The account routes, which are not in the API's document. */
const auth = <T>(path: string, body?: object) => sendJson<T>(`/console/v1/auth/${path}`, body);

export interface SignedIn {
  twoFactorRedirect?: boolean;
}

export const accounts = {
  signIn: (body: { email: string; password: string; rememberMe: boolean }) => auth<SignedIn>('sign-in/email', body),
  signInWith: (provider: string) => auth<{ url: string }>('sign-in/social', { provider }),
  /** The address of the identity provider of a mail domain; null: there is none. */
  findCompany: (email: string) => auth<{ url: string | null }>('sign-in/sso', { email }),
  /** The address of the provider's page for a trial that opens no session. */
  tryCompany: () => auth<{ url: string }>('sign-in/sso', { trial: true }),
  addProvider: (provider: string) => auth<{ url: string }>('link-social', { provider }),
  listAccounts: () => auth<{ id: string; providerId: string; createdAt: string }[]>('list-accounts'),
  removeAccount: (accountId: string) => auth('unlink-account', { accountId }),
  signUp: (body: { name: string; email: string; password: string; callbackURL: string | undefined }) =>
    auth('sign-up/email', body),
  confirmLink: (link: 'verify-email' | 'magic-link/verify', body: { token: string; callbackURL: string }) =>
    auth<{ next: string }>(link, body),
  requestPasswordReset: (email: string) => auth('request-password-reset', { email, redirectTo: '/reset-password' }),
  resetPassword: (body: { newPassword: string; token: string }) => auth('reset-password', body),
  changePassword: (body: { currentPassword: string; newPassword: string }) =>
    auth('change-password', { ...body, revokeOtherSessions: true }),
  changeEmail: (newEmail: string) => auth('change-email', { newEmail, callbackURL: '/settings' }),
  updateUser: (body: { name: string }) => auth('update-user', body),

  listSessions: () => auth<Session[]>('list-sessions'),
  revokeSession: (token: string) => auth('revoke-session', { token }),
  revokeOtherSessions: () => auth('revoke-other-sessions', {}),

  enableTwoFactor: (password: string) =>
    auth<{ totpURI: string; backupCodes: string[] }>('two-factor/enable', { password }),
  disableTwoFactor: (password: string) => auth('two-factor/disable', { password }),
  verifyTotp: (body: { code: string; trustDevice?: boolean }) => auth('two-factor/verify-totp', body),
  verifyBackupCode: (code: string) => auth('two-factor/verify-backup-code', { code }),
  newBackupCodes: (password: string) =>
    auth<{ backupCodes: string[] }>('two-factor/generate-backup-codes', { password }),

  listPasskeys: () => auth<Passkey[]>('passkey/list-user-passkeys'),
  deletePasskey: (id: string) => auth('passkey/delete-passkey', { id }),

  // Each names the workspace, because the session may have none selected.
  listMembers: (organizationId: string) =>
    auth<{ members: Member[] }>(`organization/list-members?${new URLSearchParams({ organizationId })}`),
  updateRole: (body: { organizationId: string; memberId: string; role: string }) =>
    auth('organization/update-member-role', body),
  removeMember: (body: { organizationId: string; memberIdOrEmail: string }) => auth('organization/remove-member', body),
  listInvitations: (organizationId: string) =>
    auth<Invitation[]>(`organization/list-invitations?${new URLSearchParams({ organizationId })}`),
  invite: (body: { organizationId: string; email: string; role: string }) => auth('organization/invite-member', body),
  cancelInvitation: (invitationId: string) => auth('organization/cancel-invitation', { invitationId }),
  getInvitation: (id: string) =>
    auth<Invitation & { organizationName: string; inviterEmail: string }>(
      `organization/get-invitation?id=${encodeURIComponent(id)}`,
    ),
  acceptInvitation: (invitationId: string) =>
    auth<{ invitation: { organizationId: string } }>('organization/accept-invitation', { invitationId }),
  leave: (organizationId: string) => auth('organization/leave', { organizationId }),
  createWorkspace: (name: string) => auth<{ id: string }>('organization/create', { name }),
  setActive: (organizationId: string) => auth('organization/set-active', { organizationId }),
};

export interface Session {
  id: string;
  token: string;
  createdAt: string;
  expiresAt: string;
  ipAddress: string | null;
  userAgent: string | null;
  /** Whether it is the requesting session. */
  current: boolean;
}

export interface Passkey {
  id: string;
  name: string | null;
  createdAt: string | null;
  deviceType: string;
}

export interface Member {
  id: string;
  userId: string;
  role: string;
  createdAt: string;
  user: { name: string; email: string };
}

export interface Invitation {
  id: string;
  email: string;
  role: string;
  status: string;
  expiresAt: string;
}

/** Signs in with a passkey of this device or of a security key, which may need a second factor beside it. */
export async function signInByPasskey(): Promise<SignedIn> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const options = await auth<never>('passkey/generate-authenticate-options');
  const response = await startAuthentication({ optionsJSON: options });
  return auth<SignedIn>('passkey/verify-authentication', { response });
}

/** Adds a passkey of this device to the account. */
export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const options = await auth<never>(`passkey/generate-register-options?name=${encodeURIComponent(name)}`);
  await auth('passkey/verify-registration', { response: await startRegistration({ optionsJSON: options }), name });
}
