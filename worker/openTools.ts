import type { Logger } from 'pino';
import { openAccess } from '../activities/plugins/pluginTokens.ts';
import { askUserTool } from '../activities/run/askUserTool.ts';
import type { WebhookSending } from '../activities/dependencies.ts';
import { createHttpAccess } from '../activities/httpTools/httpAccess.ts';
import type { AgentConfiguration } from '../db/agents/configuration.ts';
import { publishTools } from '../db/plugins/offeredTools.ts';
import { withSecrets } from '../db/plugins/pluginSecrets.ts';
import { keepPluginTools, listPlugins, readPlugins, type RegisteredPlugin } from '../db/plugins/plugins.ts';
import type { SealingKeys } from '../db/sealing/sealingKeys.ts';
import type { Database } from '../db/database.ts';
import type { SecretOpener } from '../db/sealing/secretBox.ts';
import { type Sandbox, SandboxError } from '../tools/sandbox/sandbox.ts';
import type { PluginAddress } from '../tools/plugin.ts';
import { ASK_USER_NAME, BUILT_IN_TOOL_NAMES } from '../tools/tool.ts';
import { openToolbox, type Toolbox } from '../tools/toolbox.ts';

interface ToolSources {
  db: Pick<Database, 'everywhere'>;
  /** Keys that decrypt the credentials of plugins. */
  pluginKeys: SealingKeys;
  /** Decrypts the secrets of workspaces. */
  secrets: SecretOpener;
  sandbox: Sandbox | undefined;
  /** Where HTTP tools may be. */
  webhookSending: Pick<WebhookSending, 'allowPrivate' | 'resolve'>;
}

type Chosen = Pick<AgentConfiguration, 'tools' | 'plugins' | 'http_tools'>;

/** Opens the tools of agents. Without a sandbox their descriptions are available, but running one fails. */
export function createOpenTools({ db: { everywhere }, pluginKeys, secrets, sandbox, webhookSending }: ToolSources) {
  const httpAccess = createHttpAccess({ everywhere, secrets, sending: webhookSending });
  return async (chosen: Chosen, workspaceId?: string): Promise<Toolbox> => {
    const { tools, plugins: wanted, http_tools: httpTools } = chosen;
    const plugins = await readPlugins(everywhere, pluginKeys, wanted);
    const source = { everywhere, secrets };
    return openToolbox({
      // No toolbox contains a tool of this name.
      names: tools.filter((name) => name !== ASK_USER_NAME),
      plugins: workspaceId === undefined ? plugins : await withAccess(source, workspaceId, plugins),
      httpTools: httpTools ?? [],
      httpAccess,
      sandbox: sandbox ?? noSandbox,
      egress: { allowPrivate: false },
    });
  };
}

/** The plugins with the workspace's secrets and sign-ins. Throws `PluginNeedsCaller` if one is missing. */
async function withAccess(
  source: { everywhere: Database['everywhere']; secrets: SecretOpener },
  workspaceId: string,
  plugins: RegisteredPlugin[],
): Promise<PluginAddress[]> {
  const given = await withSecrets(source.everywhere, source.secrets, { workspaceId, plugins });
  return Promise.all(
    given.map(async (plugin) =>
      plugin.signIn ? { ...plugin, access: await openAccess(source, { workspaceId, plugin }) } : plugin,
    ),
  );
}

const noSandbox: Sandbox = {
  tier: 'quickjs',
  languages: ['javascript'],
  description: 'none',
  run: () => Promise.reject(new SandboxError('this worker has no sandbox')),
  close: () => Promise.resolve(),
};

/**
 * Stores the publishers' choices: this worker's tools, and in the background the tools of each reachable plugin. A worker without a sandbox
 * leaves the list of other workers unchanged.
 */
export async function offerTools(sources: ToolSources, logger: Logger): Promise<void> {
  const { db, sandbox } = sources;
  const openTools = createOpenTools(sources);
  void listPluginTools(db, openTools, logger).catch((err: unknown) => logger.warn({ err }, 'plugins are not listed'));
  if (!sandbox) return;
  const toolbox = await openTools({ tools: [...BUILT_IN_TOOL_NAMES], plugins: [] });
  const own = [...toolbox.definitions, askUserTool].map(({ name, description, parameters }) => {
    const kind = toolbox.kindOf(name);
    return { name, kind, description, parameters, languages: kind === 'sandbox' ? sandbox.languages : null };
  });
  await toolbox.close();
  await publishTools(db.everywhere, own);
}

async function listPluginTools(
  { everywhere }: Pick<Database, 'everywhere'>,
  openTools: (chosen: Chosen) => Promise<Toolbox>,
  logger: Logger,
): Promise<void> {
  for (const { id, version, disabledAt, signIn } of await listPlugins(everywhere)) {
    // Plugins with sign-ins may have other tools for each user.
    if (disabledAt !== null || signIn !== null) continue;
    try {
      const toolbox = await openTools({ tools: [], plugins: [{ plugin_id: id, version }] });
      await toolbox.close();
      await keepPluginTools(everywhere, { id, version, tools: toolbox.definitions });
    } catch (err) {
      logger.warn({ err, plugin: id, version }, 'the tools of a plugin are not known');
    }
  }
}
