import { Command } from 'commander';
import type { Ledgerline } from '../../src/index.ts';
import { briefTime, time } from '../format.ts';
import { printResult } from '../output.ts';
import { channelsOf } from '../publishing/channels.ts';
import { agentOf, agentOption } from '../publishing/folderOption.ts';
import { versionsOf, type OwnAgent, type Version } from '../publishing/ownAgents.ts';
import { stateOf } from '../publishing/states.ts';
import { tableOf } from '../terminal/table.ts';

interface Listed extends Version {
  /** What it is: public, private, in review, of a channel. */
  states: string[];
}

export const versions = new Command('versions')
  .description('the versions of an agent, and what they are')
  .argument('[agent]', 'acme/poet; that of this folder when left out')
  .addOption(agentOption())
  .action(async (name: string | undefined, _options: object, self: Command) => {
    const { client, agent } = await agentOf(self, name);
    const listed = await list(client, agent);
    printResult(self, listed, (rows) =>
      tableOf(
        [
          { title: 'no.', text: ({ number }) => number, align: 'right' },
          { title: 'version', text: ({ version }) => version },
          { title: 'is', text: ({ states }) => states.join(', '), shrinks: true },
          {
            title: 'made',
            text: ({ created_at: made }) => time(made),
            brief: ({ created_at: made }) => briefTime(made),
          },
          { title: 'id', text: ({ id }) => id },
        ],
        rows,
      ),
    );
  });

async function list(client: Ledgerline, agent: OwnAgent): Promise<Listed[]> {
  const channels = await channelsOf(client, agent.id);
  const deployments = [agent.public_deployment, agent.public_submission, agent.private_deployment];
  const listed: Listed[] = [];
  for await (const version of versionsOf(client, agent.id))
    listed.push({
      ...version,
      states: [
        ...deployments.filter((one) => one?.version_id === version.id).map((one) => stateOf(one!)),
        ...channels
          .filter((one) => one.version_id === version.id && one.name !== 'stable')
          .map(({ name }) => `@${name}`),
      ],
    });
  return listed;
}
