import { Command } from 'commander';
import { Failure } from '../failure.ts';
import { withExamples } from '../output.ts';
import { agentOf, agentOption } from '../publishing/folderOption.ts';
import { findVersion } from '../publishing/ownAgents.ts';
import { show } from './rollout.ts';

export const rollback = withExamples(
  new Command('rollback')
    .description('take back the version that is rolled out, or make a former version public again')
    .argument('[version]', 'a former public version, by its date, id or number')
    .addOption(agentOption())
    .action(async (name: string | undefined, _options: object, self: Command) => {
      const { client, agent } = await agentOf(self);
      const { api } = client;
      if (name !== undefined) {
        const { id } = await findVersion(client, agent.id, name);
        const params = { path: { agent_id: agent.id } };
        const { data } = await api.POST('/v1/publisher/agents/{agent_id}/rollback', {
          params,
          body: { version_id: id },
        });
        return show(self, client, data);
      }
      const open = agent.public_submission;
      if (open?.status !== 'active' && open?.status !== 'scheduled')
        throw new Failure('No version of the agent is rolled out.', {
          hint: 'Name the version to go back to: `ledgerline rollback <version>`. `ledgerline versions` lists them.',
        });
      const params = { path: { deployment_id: open.id } };
      const { data } = await api.POST('/v1/publisher/deployments/{deployment_id}/roll-back', { params });
      await show(self, client, data);
    }),
  [['ledgerline rollback', 'end the rollout'], ['ledgerline rollback 2026-11-20']],
);
