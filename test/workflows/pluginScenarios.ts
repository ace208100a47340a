import { deletePluginSecrets, setPluginSecrets } from '../../db/plugins/pluginSecrets.ts';
import { registerPlugin } from '../../db/plugins/plugins.ts';
import { newId } from '../../db/ids.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { supplyRuns } from '../../db/runs/states/supplyRuns.ts';
import type { Script } from '../../rules/scripted/script.ts';
import type { RunSetup, RunStage } from '../support/runStage.ts';
import { startEverythingServer } from '../tools/everythingServer.ts';
import type { Scenario } from './scenario.ts';

const BY = { keyId: null, requestId: 'req_1' };
const secrets = [{ name: 'api_key', description: '', header: 'x-mail-key', template: '{}' }];

interface Played {
  run: RunRow;
  give: () => Promise<void>;
  take: () => Promise<void>;
}

/** A run of an agent whose plugin needs a secret, and its workspace's reaction. */
async function withPlugin(
  stage: RunStage,
  wish: RunSetup,
  scriptOf: (tool: string) => Script,
  act: (played: Played) => Promise<void>,
): Promise<RunRow> {
  const server = await startEverythingServer();
  try {
    const plugin = newId('m').replace('_', '').toLowerCase();
    const { everywhere } = stage.db;
    const mailer = { id: plugin, version: '1', name: 'Mailer', url: server.url, headers: {}, secrets };
    await registerPlugin(everywhere, stage.pluginKeys, mailer);
    const plugins = [{ plugin_id: plugin, version: '1' }];
    const run = await stage.makeRun({ plugins, script: scriptOf(`${plugin}__echo`), ...wish });
    const { workspace_id: workspaceId } = run;
    const rows = stage.db.write(workspaceId);
    const give = async () => {
      await setPluginSecrets(rows, BY, { pluginId: plugin, values: { api_key: 'canary-of-the-mailer' } });
      const given = { workspaceId, type: 'plugin_secret', plugin } as const;
      for (const { id } of await supplyRuns(stage.db, given)) await stage.workflows.resume(id);
    };
    await act({ run, give, take: () => deletePluginSecrets(rows, BY, plugin) });
    return await stage.endOf(run.id);
  } finally {
    await server.stop();
  }
}

const echo = (name: string): Script => ({ toolCalls: [{ name, arguments: JSON.stringify({ message: 'hi' }) }] });
const done = { status: 'completed', output: [{ type: 'output_text', text: 'Done.' }] };

/** Paths through a run whose plugin requires something of its caller. */
export const pluginScenarios: Record<string, Scenario> = {
  pluginSecretGiven: {
    promise: 'a run waits for the secret that its plugin needs, and begins with it',
    ends: done,
    play: (stage) =>
      withPlugin(
        stage,
        {},
        (tool) => ({ turns: [echo(tool), { text: 'Done.' }] }),
        async ({ run, give }) => {
          await stage.workflows.start(run);
          await stage.untilEvent(run.id, 'run.requires_action');
          await give();
        },
      ),
  },
  pluginSecretTaken: {
    promise:
      'a run whose plugin loses its secret while the model calls its tool waits with the call, and then carries it out',
    ends: { status: 'completed' },
    play: (stage) =>
      withPlugin(
        stage,
        {},
        (tool) => ({ turns: [{ ...echo(tool), text: 'word '.repeat(200), delayMs: 10 }, { text: 'Done.' }] }),
        async ({ run, give, take }) => {
          await give();
          await stage.workflows.start(run);
          await stage.untilEvent(run.id, 'run.output_text.delta');
          await take();
          await stage.untilEvent(run.id, 'run.requires_action');
          await give();
        },
      ),
  },
  pluginSecretOfTrial: {
    promise: 'a trial of a review, whose caller gives no secret, fails at no cost',
    ends: { status: 'failed', total_nanos: '0', error: { code: 'plugin_unavailable' } },
    play: (stage) => withPlugin(stage, { source: 'review' }, echo, async ({ run }) => stage.workflows.start(run)),
  },
};
