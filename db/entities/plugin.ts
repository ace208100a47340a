import { defineEntity, p } from '@mikro-orm/core';

/** Encrypted values by header, or plain texts from before encryption. */
export type StoredHeaders = Record<string, string | { sealed: string }>;

/** A tool as models get it. `parameters` is a JSON Schema. */
export interface PluginTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** A secret that a plugin needs from each workspace that runs its agents: sent in a header, where the template has `{}`. */
export interface DeclaredSecret {
  name: string;
  description: string;
  header: string;
  template: string;
}

/** A workspace's secret for a plugin, sealed for the worker. */
export const PluginSecret = defineEntity({
  name: 'PluginSecret',
  tableName: 'plugin_secrets',
  properties: {
    workspaceId: p.text().primary(),
    pluginId: p.text().primary(),
    name: p.text().primary(),
    sealed: p.text(),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** How workspaces sign in to a plugin, as an operator registered it (OAuth 2.1). */
export interface StoredSignIn {
  issuer?: string;
  scope?: string;
  /** Of a client that the operator has registered with the authorization server. */
  clientId?: string;
  clientSecret?: { sealed: string };
}

/** A workspace's access to a plugin: its tokens, sealed for the worker. They are valid only for this address of the plugin. */
export const PluginSignIn = defineEntity({
  name: 'PluginSignIn',
  tableName: 'plugin_sign_ins',
  checks: [{ name: 'plugin_sign_ins_state_check', expression: "state in ('connected', 'ended', 'revoking')" }],
  properties: {
    workspaceId: p.text().primary(),
    pluginId: p.text().primary(),
    pluginVersion: p.text(),
    url: p.text(),
    issuer: p.text(),
    /** `ended`: the authorization server no longer renews it. `revoking`: a worker will revoke and delete it. */
    state: p.text().$type<'connected' | 'ended' | 'revoking'>(),
    sealed: p.text(),
    /** The version of the tokens: a renewal replaces only those it read. */
    version: p.integer().default(1),
    /** When the access token ends; null: unknown. */
    expiresAt: p.datetime().strictNullable(),
    /** Until when one process has claimed the renewal. */
    renewingUntil: p.datetime().strictNullable(),
    scope: p.text().strictNullable(),
    /** The account at the plugin, as its authorization server names it. */
    account: p.text().strictNullable(),
    /** The member who signed in. */
    userId: p.text(),
    connectedAt: p.datetime().defaultRaw('now()'),
  },
});

/** A member's pending sign-in to a plugin, in a session of the console. */
export const PluginSignInAttempt = defineEntity({
  name: 'PluginSignInAttempt',
  tableName: 'plugin_sign_in_attempts',
  checks: [
    {
      name: 'plugin_sign_in_attempts_state_check',
      expression: "state in ('begun', 'asked', 'answered', 'connected', 'failed')",
    },
  ],
  indexes: [
    {
      name: 'plugin_sign_in_attempts_expires_index',
      expression: 'create index plugin_sign_in_attempts_expires_index on plugin_sign_in_attempts (expires_at)',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    pluginId: p.text(),
    pluginVersion: p.text(),
    userId: p.text(),
    /** Only this session of the console may deliver the answer. */
    sessionId: p.text(),
    stateHash: p.text().unique(),
    redirectUrl: p.text(),
    state: p.text().$type<'begun' | 'asked' | 'answered' | 'connected' | 'failed'>().default('begun'),
    authorizationUrl: p.text().strictNullable(),
    /** The data for the code exchange; once connected, the replaced sign-in until it is revoked. Sealed for the worker. */
    sealed: p.text().strictNullable(),
    /** The authorization server's answer, brought by the user and sealed for the worker. */
    answer: p.text().strictNullable(),
    /** Why it failed. */
    failure: p.text().strictNullable(),
    expiresAt: p.datetime(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** A tool that the last started worker offers to agents. */
export const OfferedTool = defineEntity({
  name: 'OfferedTool',
  tableName: 'offered_tools',
  properties: {
    name: p.text().primary(),
    position: p.integer(),
    kind: p.text().$type<'tool' | 'sandbox' | 'file'>(),
    description: p.text(),
    parameters: p.json().$type<Record<string, unknown>>(),
    /** Of the programs it runs; null for other tools. */
    languages: p.json().$type<string[]>().strictNullable(),
  },
});

/** A tool server (Model Context Protocol) that an operator has registered under an id and a version, for agents to use. */
export const Plugin = defineEntity({
  name: 'Plugin',
  tableName: 'plugins',
  properties: {
    id: p.text().primary(),
    version: p.text().primary(),
    name: p.text(),
    url: p.text(),
    /** Sent with every call. Each value may be a credential, so it is stored as `{ sealed }`: encrypted with PLUGIN_SECRETS_KEY. */
    headers: p.json().$type<StoredHeaders>().defaultRaw("'{}'"),
    secrets: p.json().$type<DeclaredSecret[]>().defaultRaw("'[]'"),
    /** Set when its users sign in. */
    signIn: p.json().$type<StoredSignIn>().strictNullable(),
    /** Its tools as last seen by a worker. */
    tools: p.json().$type<PluginTool[]>().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    disabledAt: p.datetime().strictNullable(),
  },
});
