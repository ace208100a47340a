import { defineEntity, p } from '@mikro-orm/core';

/** A person who signs in to the console. Their rights follow from their memberships in workspaces; operators act on all workspaces. */
export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.text().primary(),
    name: p.text(),
    email: p.text().unique(),
    emailVerified: p.boolean().default(false),
    image: p.text().strictNullable(),
    twoFactorEnabled: p.boolean().default(false),
    isOperator: p.boolean().default(false),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** A sign-in of a person with one browser. `token` is the SHA-256 of the cookie's value. */
export const UserSession = defineEntity({
  name: 'UserSession',
  tableName: 'user_sessions',
  properties: {
    id: p.text().primary(),
    userId: p.text().index(),
    token: p.text().unique(),
    expiresAt: p.datetime(),
    ipAddress: p.text().strictNullable(),
    userAgent: p.text().strictNullable(),
    /** The selected workspace; null: the person's first one. */
    activeWorkspaceId: p.text().strictNullable(),
    /** How it began: `password`, `passkey`, `second_factor`, …, or the id of an identity provider; null: before this was recorded. */
    method: p.text().strictNullable(),
    /** Of a session of an identity provider: the workspace of that provider, the only one that it opens. */
    ssoWorkspaceId: p.text().strictNullable(),
    /** When it was last used, to the minute; null: not since it began. */
    usedAt: p.datetime().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** A way to sign in. For a password (`providerId` is "credential") the Argon2id hash is stored. */
export const Credential = defineEntity({
  name: 'Credential',
  tableName: 'credentials',
  properties: {
    id: p.text().primary(),
    userId: p.text().index(),
    accountId: p.text(),
    providerId: p.text(),
    password: p.text().strictNullable(),
    accessToken: p.text().strictNullable(),
    refreshToken: p.text().strictNullable(),
    idToken: p.text().strictNullable(),
    accessTokenExpiresAt: p.datetime().strictNullable(),
    refreshTokenExpiresAt: p.datetime().strictNullable(),
    scope: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** A pending proof: a link in a mail, a second factor, the challenge of a passkey. `identifier` contains no secret in plain text. */
export const Verification = defineEntity({
  name: 'Verification',
  tableName: 'verifications',
  properties: {
    id: p.text().primary(),
    identifier: p.text().index(),
    value: p.text(),
    expiresAt: p.datetime(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** The second factor of a person: the secret of the authenticator app, and recovery codes, both encrypted. */
export const TwoFactor = defineEntity({
  name: 'TwoFactor',
  tableName: 'two_factors',
  properties: {
    id: p.text().primary(),
    userId: p.text().index(),
    secret: p.text(),
    backupCodes: p.text(),
    verified: p.boolean().default(true),
    failedVerificationCount: p.integer().default(0),
    lockedUntil: p.datetime().strictNullable(),
  },
});

/** A passkey of a person: its public part. */
export const Passkey = defineEntity({
  name: 'Passkey',
  tableName: 'passkeys',
  properties: {
    id: p.text().primary(),
    userId: p.text().index(),
    name: p.text().strictNullable(),
    publicKey: p.text(),
    credentialID: p.text().unique().fieldName('credential_id'),
    counter: p.integer(),
    deviceType: p.text(),
    backedUp: p.boolean(),
    transports: p.text().strictNullable(),
    aaguid: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** A person's membership in a workspace, and its role. */
export const Member = defineEntity({
  name: 'Member',
  tableName: 'members',
  uniques: [{ properties: ['workspaceId', 'userId'] }],
  checks: [{ name: 'members_role_check', expression: "role in ('owner', 'developer', 'finance', 'publisher')" }],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    userId: p.text().index(),
    role: p.text(),
    /** The projects it is limited to; null: all. */
    projectIds: p.array().columnType('text[]').strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** An invitation of a mail address to a workspace. */
export const Invitation = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    email: p.text().index(),
    role: p.text().strictNullable(),
    status: p.text(),
    expiresAt: p.datetime(),
    inviterId: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** Counts attempts: sign-ins to one account, or from one address. */
export const Throttle = defineEntity({
  name: 'Throttle',
  tableName: 'throttles',
  properties: {
    key: p.text().primary(),
    count: p.integer(),
    resetsAt: p.datetime().index(),
  },
});

/** A mail that was not sent because no mail server is configured: shown on the page of test mails. */
export const TestMail = defineEntity({
  name: 'TestMail',
  tableName: 'test_mails',
  properties: {
    id: p.text().primary(),
    recipient: p.text(),
    subject: p.text(),
    text: p.text(),
    createdAt: p.datetime().defaultRaw('now()').index(),
  },
});
