import { defineEntity, p } from '@mikro-orm/core';

/** What an OpenID provider's discovery document says, and how we are known there. */
export interface OidcConfiguration {
  clientId: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  jwksEndpoint: string;
  tokenEndpointAuthentication: 'client_secret_basic' | 'client_secret_post';
  scopes: string[];
}

/** What a SAML provider's metadata say. */
export interface SamlConfiguration {
  metadata: string;
  emailAttribute: string | null;
  nameAttribute: string | null;
}

/** Members of a group of the provider get a role of the workspace. */
export interface GroupRole {
  group: string;
  role: string;
}

/** What the owner's last trial of the provider said. It opened no session. */
export interface ProviderTrial {
  email: string;
  groups: string[];
  role: string | null;
  problem: string | null;
}

/** The identity provider of a workspace: OpenID Connect or SAML. */
export const IdentityProvider = defineEntity({
  name: 'IdentityProvider',
  tableName: 'identity_providers',
  uniques: [{ properties: ['workspaceId'] }],
  checks: [
    { name: 'identity_providers_kind_check', expression: "kind in ('oidc', 'saml')" },
    {
      name: 'identity_providers_default_role_check',
      expression: "default_role in ('owner', 'developer', 'finance', 'publisher')",
    },
    { name: 'identity_providers_enforced_check', expression: 'not enforced or tested_at is not null' },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    kind: p.text().$type<'oidc' | 'saml'>(),
    name: p.text(),
    /** The issuer of its tokens, or its entity id. */
    issuer: p.text(),
    configuration: p.json().$type<OidcConfiguration | SamlConfiguration>(),
    /** Of OpenID Connect: the client secret, sealed with CATALOG_SECRETS_KEY. */
    sealedSecret: p.text().strictNullable(),
    /** The claim or attribute with a person's groups; null: none, everybody has the default role. */
    groupsName: p.text().strictNullable(),
    groupRoles: p.json().$type<GroupRole[]>().defaultRaw("'[]'"),
    /** The role of people without a mapped group; null: they are no members. */
    defaultRole: p.text().strictNullable(),
    /** Whether members of the verified domains open the workspace only through it. */
    enforced: p.boolean().default(false),
    /** When a trial of this configuration first succeeded; null: it cannot be used to sign in yet. */
    testedAt: p.datetime().strictNullable(),
    /** SHA-256 of the state of the trial that was begun last. */
    trialState: p.text().strictNullable(),
    trial: p.json().$type<ProviderTrial>().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** A domain of mail addresses that a workspace claims, and proves by a TXT record. */
export const MailDomain = defineEntity({
  name: 'MailDomain',
  tableName: 'mail_domains',
  uniques: [{ properties: ['workspaceId', 'domain'] }],
  indexes: [
    {
      name: 'mail_domains_verified_index',
      expression:
        'create unique index mail_domains_verified_index on mail_domains (domain) where verified_at is not null',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    domain: p.text(),
    /** What the TXT record says. */
    token: p.text(),
    verifiedAt: p.datetime().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** What a workspace asks of its members' sessions. */
export const SessionRules = defineEntity({
  name: 'SessionRules',
  tableName: 'session_rules',
  checks: [{ name: 'session_rules_times_check', expression: 'session_minutes > 0 and idle_minutes > 0' }],
  properties: {
    workspaceId: p.text().primary(),
    requiresSecondFactor: p.boolean().default(false),
    sessionMinutes: p.integer().strictNullable(),
    idleMinutes: p.integer().strictNullable(),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** Where a workspace's audit is written to: objects of hours or days in a store with S3's protocol. */
export const AuditExport = defineEntity({
  name: 'AuditExport',
  tableName: 'audit_exports',
  checks: [{ name: 'audit_exports_period_check', expression: "period in ('hour', 'day')" }],
  properties: {
    workspaceId: p.text().primary(),
    /** The address without the credentials. */
    target: p.text(),
    /** The address with the credentials, sealed for the worker. */
    sealedUrl: p.text(),
    period: p.text().$type<'hour' | 'day'>(),
    /** The end of the last period that was written: the next object begins here. */
    exportedUntil: p.datetime(),
    lastObject: p.text().strictNullable(),
    lastEntries: p.integer().strictNullable(),
    /** Why the last attempt failed; null: it did not. */
    lastError: p.text().strictNullable(),
    triedAt: p.datetime().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
