import type { InferEntity } from '@mikro-orm/core';
import type { DeclaredSecret, Plugin, PluginTool, StoredHeaders, StoredSignIn } from '../entities/plugin.ts';
import { audit, type Actor } from '../workspaces/audit.ts';
import type { AnyRows, AnyTransaction } from '../postgres/rows.ts';
import type { OnLeft, SealingKeys } from '../sealing/sealingKeys.ts';

/** A plugin with everything needed to call it. */
export interface RegisteredPlugin {
  id: string;
  version: string;
  url: string;
  headers: Record<string, string>;
  /** What it needs from the calling workspace. */
  secrets: DeclaredSecret[];
  /** How its users sign in, if they do. */
  signIn?: SignInSettings;
  /** Values in its headers that must not be shown. */
  credentials?: string[];
}

/** How users sign in to a plugin, with the decrypted secret of its client. */
export type SignInSettings = Omit<StoredSignIn, 'clientSecret'> & { clientSecret?: string };

/** Thrown for an agent's plugin that is not registered, is disabled, or has a credential that cannot be decrypted. */
export class PluginUnusable extends Error {
  override readonly name = 'PluginUnusable';
  readonly pluginId: string;

  constructor(message: string, { pluginId, ...options }: { pluginId: string; cause?: unknown }) {
    super(message, options);
    this.pluginId = pluginId;
  }
}

/** Stores a plugin's tools as seen now, for those who create agents. */
export async function keepPluginTools(
  rows: AnyRows,
  { id, version, tools }: { id: string; version: string; tools: PluginTool[] },
): Promise<void> {
  await rows.statement(({ em, Plugin }) => em.nativeUpdate(Plugin, { id, version }, { tools }));
}

/** What an agent's plugin needs from the workspace that runs it. */
export interface PluginNeed {
  type: 'plugin_secret' | 'plugin_sign_in';
  plugin: string;
  version: string;
  /** The name of the secret. */
  secret?: string;
}

/** Thrown when a plugin needs something that the workspace has not supplied. */
export class PluginNeedsCaller extends Error {
  override readonly name = 'PluginNeedsCaller';
  readonly need: PluginNeed;

  constructor(need: PluginNeed) {
    super(`the workspace has no ${need.secret === undefined ? 'sign-in' : `secret ${need.secret}`} for ${need.plugin}`);
    this.need = need;
  }
}

type StoredPlugin = Pick<InferEntity<typeof Plugin>, 'id' | 'version' | 'url' | 'headers' | 'signIn'>;

/** Registers a plugin's version, or replaces its previous registration. Drafts may refer to it at once. */
export async function registerPlugin(
  rows: AnyRows,
  keys: SealingKeys,
  plugin: {
    id: string;
    version: string;
    name: string;
    url: string;
    headers: Record<string, string>;
    secrets?: DeclaredSecret[];
    signIn?: SignInSettings;
  },
): Promise<void> {
  const { secrets = [], signIn } = plugin;
  const sealed = {
    ...plugin,
    secrets,
    headers: sealHeaders(keys, plugin),
    signIn: signIn ? sealSignIn(keys, plugin, signIn) : null,
    disabledAt: null,
  };
  await rows.statement(({ em, Plugin }) =>
    em
      .qb(Plugin)
      .insert(sealed)
      .onConflict(['id', 'version'])
      .merge(['name', 'url', 'headers', 'secrets', 'signIn', 'disabledAt'])
      .execute('run'),
  );
}

/** All plugins, by id and version. Their headers may hold credentials: only the names may be shown. */
export const listPlugins = (rows: AnyRows): Promise<InferEntity<typeof Plugin>[]> =>
  rows.statement(({ em, Plugin }) => em.find(Plugin, {}, { orderBy: { id: 'asc', version: 'asc' } }));

/**
 * Disables a version: drafts may no longer refer to it, and runs of its agents cannot use its tools. False: it does not exist or is already
 * disabled.
 */
export async function disablePlugin(rows: AnyRows, { id, version }: { id: string; version: string }): Promise<boolean> {
  const disabled = await rows.statement(({ em, Plugin, sql }) =>
    em.nativeUpdate(Plugin, { id, version, disabledAt: null }, { disabledAt: sql.now() }),
  );
  return disabled === 1;
}

/**
 * The registered plugins of an agent, with decrypted headers: only for the process that calls them. Disabled ones are read only `evenOff`.
 * Throws `PluginUnusable`.
 */
export async function readPlugins(
  rows: AnyRows,
  keys: SealingKeys,
  wanted: { plugin_id: string; version: string }[],
  { evenOff = false } = {},
): Promise<RegisteredPlugin[]> {
  if (wanted.length === 0) return [];
  const named = wanted.map(({ plugin_id: id, version }) => ({ id, version }));
  const which = { $or: named, ...(!evenOff && { disabledAt: null }) };
  const found = await rows.statement(({ em, Plugin }) => em.find(Plugin, which));
  const missing = named.find((one) => !found.some(({ id, version }) => id === one.id && version === one.version));
  if (missing)
    throw new PluginUnusable(`the plugin ${missing.id} ${missing.version} is not registered, or is off`, {
      pluginId: missing.id,
    });
  return found.map((stored) => {
    const { id, version, url, secrets, signIn } = stored;
    const opened = { id, version, url, secrets, headers: openHeaders(keys, stored) };
    return signIn ? { ...opened, signIn: openSignIn(keys, stored, signIn) } : opened;
  });
}

/**
 * Encrypts headers stored as plain text and, with `isRotation`, those encrypted with an older key. Returns how many plugins it changed. A
 * plugin that no key opens is told of; without `onLeft` it throws.
 */
export async function sealPlugins(
  rows: AnyRows,
  keys: SealingKeys,
  { isRotation = false, onLeft }: { isRotation?: boolean; onLeft?: OnLeft } = {},
): Promise<number> {
  let changed = 0;
  for (const stored of await listPlugins(rows)) {
    const { headers, signIn } = stored;
    const isDue = (value: StoredHeaders[string]) =>
      typeof value === 'string' || (isRotation && !keys.isCurrent(value.sealed));
    if (![...Object.values(headers), ...(signIn?.clientSecret ? [signIn.clientSecret] : [])].some(isDue)) continue;
    try {
      changed += await replaceCredentials(rows, stored, {
        headers: sealHeaders(keys, { ...stored, headers: openHeaders(keys, stored) }),
        signIn: signIn && sealSignIn(keys, stored, openSignIn(keys, stored, signIn)),
      });
    } catch (error) {
      if (!onLeft || !(error instanceof PluginUnusable)) throw error;
      onLeft(error.message);
    }
  }
  return changed;
}

// A plugin that is registered again before this commits keeps its new credentials.
function replaceCredentials(
  rows: AnyRows,
  { id, version, headers, signIn }: StoredPlugin,
  sealed: Pick<StoredPlugin, 'headers' | 'signIn'>,
): Promise<number> {
  return rows.statement(({ em, Plugin, sql }) => {
    const isUnchanged = sql`headers = ${JSON.stringify(headers)}::jsonb and sign_in is not distinct from ${signIn && JSON.stringify(signIn)}::jsonb`;
    return em.nativeUpdate(Plugin, { id, version, [isUnchanged]: [] }, sealed);
  });
}

type Owner = { id: string; version: string };
const ownerOf = ({ id, version }: Owner, header: string) => JSON.stringify([id, version, header]);

function sealHeaders(keys: SealingKeys, plugin: Owner & { headers: Record<string, string> }): StoredHeaders {
  return Object.fromEntries(
    Object.entries(plugin.headers).map(([name, value]) => [name, { sealed: keys.seal(value, ownerOf(plugin, name)) }]),
  );
}

function openHeaders(keys: SealingKeys, plugin: StoredPlugin): Record<string, string> {
  return Object.fromEntries(
    Object.entries(plugin.headers).map(([name, value]) => {
      if (typeof value === 'string') return [name, value];
      return [name, openValue(keys, plugin, { name, what: `the header ${name}`, ...value })];
    }),
  );
}

const CLIENT_SECRET = 'client secret';

function sealSignIn(keys: SealingKeys, plugin: Owner, { clientSecret, ...settings }: SignInSettings): StoredSignIn {
  if (clientSecret === undefined) return settings;
  return { ...settings, clientSecret: { sealed: keys.seal(clientSecret, ownerOf(plugin, CLIENT_SECRET)) } };
}

function openSignIn(keys: SealingKeys, plugin: Owner, { clientSecret, ...settings }: StoredSignIn): SignInSettings {
  if (clientSecret === undefined) return settings;
  const opened = openValue(keys, plugin, { name: CLIENT_SECRET, what: 'the secret of the client', ...clientSecret });
  return { ...settings, clientSecret: opened };
}

function openValue(
  keys: SealingKeys,
  plugin: Owner,
  { name, what, sealed }: { name: string; what: string; sealed: string },
): string {
  try {
    return keys.open(sealed, ownerOf(plugin, name));
  } catch (cause) {
    const { message } = cause as Error;
    throw new PluginUnusable(`${what} of the plugin ${plugin.id} ${plugin.version}: ${message}`, {
      pluginId: plugin.id,
      cause,
    });
  }
}

/** Audits what a workspace gives to a plugin, or takes back. */
export const auditPlugin = (
  tx: AnyTransaction,
  by: Actor,
  { pluginId, ...entry }: { workspaceId: string; action: string; pluginId: string; detail?: object },
): Promise<void> => audit(tx, by, { ...entry, subjectType: 'plugin', subjectId: pluginId });
