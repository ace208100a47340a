import { readPlugins } from '../db/agents/plugins.ts';
import type { AgentConfiguration } from '../db/agents/configuration.ts';
import type { SealingKeys } from '../db/agents/sealingKeys.ts';
import type { Database } from '../db/database.ts';
import { SandboxError, type Sandbox } from '../sandbox/sandbox.ts';
import { ASK_USER_NAME } from '../tools/names.ts';
import { openToolbox, type Toolbox } from '../tools/toolbox.ts';

/** Opens the tools of agents. Without a sandbox their descriptions are available, but running one fails. */
export function createOpenTools(pool: Database['pool'], pluginKeys: SealingKeys, sandbox: Sandbox | undefined) {
  return async ({ tools, plugins }: AgentConfiguration): Promise<Toolbox> =>
    openToolbox({
      // That one no toolbox has.
      names: tools.filter((name) => name !== ASK_USER_NAME),
      plugins: await readPlugins(pool, pluginKeys, plugins),
      sandbox: sandbox ?? noSandbox,
      egress: { allowPrivate: false },
    });
}

const noSandbox: Sandbox = {
  tier: 'quickjs',
  languages: ['javascript'],
  description: 'none',
  run: () => Promise.reject(new SandboxError('this worker has no sandbox')),
  close: () => Promise.resolve(),
};
