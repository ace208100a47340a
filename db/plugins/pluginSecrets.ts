import type { Actor } from '../workspaces/audit.ts';
import type { AgentConfiguration } from '../agents/configuration.ts';
import type { DeclaredSecret } from '../entities/plugin.ts';
import type { AnyRows, Rows } from '../postgres/rows.ts';
import { resealForWorker, sealForWorker, type SecretOpener } from '../sealing/secretBox.ts';
import { auditPlugin, PluginNeedsCaller, PluginUnusable, type PluginNeed, type RegisteredPlugin } from './plugins.ts';

/** The place of the secret in a header's template. */
const SECRET_PLACE = '{}';

/** Stores a workspace's secrets for a plugin, sealed: only the worker can read them. Audited. False: no worker has started yet. */
export function setPluginSecrets(
  rows: Rows,
  by: Actor,
  { pluginId, values }: { pluginId: string; values: Record<string, string> },
): Promise<boolean> {
  return rows.transaction(async (tx) => {
    const { em, PluginSecret, sql, workspaceId } = tx;
    for (const [name, value] of Object.entries(values)) {
      const sealed = await sealForWorker(tx, value, ownerOf({ workspaceId, pluginId, name }));
      if (sealed === undefined) return false;
      await em
        .qb(PluginSecret)
        .insert({ workspaceId, pluginId, name, sealed, updatedAt: sql.now() })
        .onConflict(['workspaceId', 'pluginId', 'name'])
        .merge(['sealed', 'updatedAt'])
        .execute('run');
    }
    const detail = { names: Object.keys(values) };
    await auditPlugin(tx, by, { workspaceId, action: 'set_plugin_secrets', pluginId, detail });
    return true;
  });
}

/** When the workspace set its secrets, by plugin and name, separated by a space. */
export async function readSecretTimes(rows: Rows): Promise<Map<string, Date>> {
  const found = await rows.statement(({ em, PluginSecret }) => em.find(PluginSecret, {}));
  return new Map(found.map(({ pluginId, name, updatedAt }) => [`${pluginId} ${name}`, updatedAt]));
}

/** Deletes the workspace's secrets of a plugin. Audited, if there are any. */
export function deletePluginSecrets(rows: Rows, by: Actor, pluginId: string): Promise<void> {
  return rows.transaction(async (tx) => {
    const { em, PluginSecret, workspaceId } = tx;
    if ((await em.nativeDelete(PluginSecret, { pluginId })) === 0) return;
    await auditPlugin(tx, by, { workspaceId, action: 'delete_plugin_secrets', pluginId });
  });
}

type Wanted = AgentConfiguration['plugins'];

/** What a workspace must supply to these plugins before an agent can use them. */
export async function findPluginNeeds(everywhere: AnyRows, workspaceId: string, wanted: Wanted): Promise<PluginNeed[]> {
  if (wanted.length === 0) return [];
  const named = wanted.map(({ plugin_id: id, version }) => ({ id, version }));
  return everywhere.statement(async ({ em, Plugin, PluginSecret, PluginSignIn }) => {
    const plugins = await em.find(Plugin, { $or: named });
    const mine = { workspaceId, pluginId: plugins.filter(asksCallers).map(({ id }) => id) };
    if (mine.pluginId.length === 0) return [];
    const secrets = await em.find(PluginSecret, mine);
    const signIns = await em.find(PluginSignIn, { ...mine, state: 'connected' });
    const has = new Set([
      ...secrets.map(({ pluginId, name }) => `${pluginId} ${name}`),
      ...signIns.map(({ pluginId, url }) => `${pluginId} ${url}`),
    ]);
    return plugins.flatMap((plugin) => {
      const { id, version, url, signIn } = plugin;
      const missing = plugin.secrets.filter(({ name }) => !has.has(`${id} ${name}`));
      const isSignedOut = signIn !== null && !has.has(`${id} ${url}`);
      return [
        ...missing.map(({ name }) => ({ type: 'plugin_secret' as const, plugin: id, version, secret: name })),
        ...(isSignedOut ? [{ type: 'plugin_sign_in' as const, plugin: id, version }] : []),
      ];
    });
  });
}

const asksCallers = ({ secrets, signIn }: { secrets: DeclaredSecret[]; signIn: object | null }) =>
  secrets.length > 0 || signIn !== null;

/**
 * The plugins with the headers that carry a workspace's secrets: only for the process that calls them. Throws `PluginNeedsCaller`, and
 * `PluginUnusable`.
 */
export async function withSecrets(
  everywhere: AnyRows,
  box: SecretOpener,
  { workspaceId, plugins }: { workspaceId: string; plugins: RegisteredPlugin[] },
): Promise<RegisteredPlugin[]> {
  const ids = plugins.filter(({ secrets }) => secrets.length > 0).map(({ id }) => id);
  if (ids.length === 0) return plugins;
  const stored = await everywhere.statement(({ em, PluginSecret }) =>
    em.find(PluginSecret, { workspaceId, pluginId: ids }),
  );
  const sealedOf = (pluginId: string, wanted: string) =>
    stored.find((one) => one.pluginId === pluginId && one.name === wanted)?.sealed;
  return plugins.map((plugin) => {
    const headers = { ...plugin.headers };
    const credentials: string[] = [];
    for (const { name, header, template } of plugin.secrets) {
      const sealed = sealedOf(plugin.id, name);
      if (sealed === undefined)
        throw new PluginNeedsCaller({
          type: 'plugin_secret',
          plugin: plugin.id,
          version: plugin.version,
          secret: name,
        });
      const value = open(box, sealed, { workspaceId, pluginId: plugin.id, name });
      headers[header] = template.replace(SECRET_PLACE, () => value);
      credentials.push(value);
    }
    return { ...plugin, headers, credentials };
  });
}

interface Owner {
  workspaceId: string;
  pluginId: string;
  name: string;
}

// A copy in another row cannot be opened.
const ownerOf = ({ workspaceId, pluginId, name }: Owner) => JSON.stringify([workspaceId, pluginId, name]);

function open(box: SecretOpener, sealed: string, owner: Owner): string {
  try {
    return box.open(sealed, ownerOf(owner));
  } catch (cause) {
    const { pluginId, name } = owner;
    throw new PluginUnusable(`the secret ${name} for ${pluginId}: ${(cause as Error).message}`, { pluginId, cause });
  }
}

/** Reseals for the worker's first key all secrets sealed for an older key, so that the older key can be removed. */
export function resealPluginSecrets(everywhere: Rows<undefined>, box: SecretOpener): Promise<void> {
  return everywhere.transaction(async (tx) => {
    const { em, PluginSecret, LockMode } = tx;
    const all = await em.find(PluginSecret, {}, { lockMode: LockMode.PESSIMISTIC_WRITE });
    for (const { sealed, workspaceId, pluginId, name } of all) {
      const owner = ownerOf({ workspaceId, pluginId, name });
      const renewed = await resealForWorker(tx, box, { sealed, owner });
      if (renewed) await em.nativeUpdate(PluginSecret, { workspaceId, pluginId, name }, { sealed: renewed });
    }
  });
}
