import { z } from 'zod';
import { ROLES } from '../../db/keys/roles.ts';
import { parseBody } from '../body/parseWith.ts';
import { BEGIN } from './companySignIn.ts';
import type { AccountInput } from './accountSchema.ts';

const Id = z.string().min(1).max(254);
const Role = z.enum(ROLES);
const Code = z.string().max(64);
const Email = z.string().max(254);
const Name = z.string().max(100);
const Token = z.string().max(4_000);
/** The library says which passwords are too short, too long, or wrong. */
const Password = z.string().max(4_000);
const Callback = z.string().max(200).optional();
/** Where it is missing or unknown, the refusal names the providers. */
const Provider = z.string().max(100).optional();
/** Of a passkey: the library checks it. */
const Response = z.looseObject({});
const Workspace = Id.optional();

const link = { token: Token.optional(), callbackURL: Callback };
const secondFactor = { code: Code, trustDevice: z.boolean().optional() };

/** The members of each request that changes an account: the library drops unknown ones, so they are refused before it reads them. */
const MEMBERS: Record<string, z.ZodRawShape> = {
  'verify-email': link,
  'magic-link/verify': link,
  'sign-up/email': { name: Name, email: Email, password: Password, callbackURL: Callback },
  'sign-in/email': { email: Email, password: Password, rememberMe: z.boolean().optional() },
  'sign-in/social': { provider: Provider },
  [BEGIN]: { email: Email.optional(), trial: z.boolean().optional() },
  'link-social': { provider: Provider },
  'unlink-account': { accountId: Id },
  'sign-out': {},
  'send-verification-email': { email: Email, callbackURL: Callback },
  'request-password-reset': { email: Email, redirectTo: Callback },
  'reset-password': { newPassword: Password, token: Token },
  'change-email': { newEmail: Email, callbackURL: Callback },
  'change-password': { currentPassword: Password, newPassword: Password, revokeOtherSessions: z.boolean().optional() },
  'update-user': { name: Name },
  'two-factor/enable': { password: Password },
  'two-factor/disable': { password: Password },
  'two-factor/generate-backup-codes': { password: Password },
  'two-factor/verify-totp': secondFactor,
  'two-factor/verify-backup-code': secondFactor,
  'passkey/verify-registration': { response: Response, name: Name.optional() },
  'passkey/verify-authentication': { response: Response },
  'passkey/update-passkey': { id: Id, name: Name },
  'passkey/delete-passkey': { id: Id },
  'organization/invite-member': { email: Email, role: Role, organizationId: Workspace },
  'organization/accept-invitation': { invitationId: Id },
  'organization/reject-invitation': { invitationId: Id },
  'organization/cancel-invitation': { invitationId: Id },
  'organization/update-member-role': { memberId: Id, role: Role, organizationId: Workspace },
  'organization/remove-member': { memberIdOrEmail: Id, organizationId: Workspace },
  'organization/leave': { organizationId: Id },
  'organization/set-active': { organizationId: Id },
};

/** The readers of the bodies by path: all requests that change something and are served. They throw 422 `validation_error`. */
export const ACCOUNT_BODIES: ReadonlyMap<string, (body: unknown) => AccountInput> = new Map(
  Object.entries(MEMBERS).map(([path, members]) => [path, parseBody(z.strictObject(members))]),
);
