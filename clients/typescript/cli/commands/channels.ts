import { Command } from 'commander';
import { briefTime, time } from '../format.ts';
import { printResult, say, withExamples } from '../output.ts';
import { channelsOf, moveChannel, type Channel } from '../publishing/channels.ts';
import { agentOf, agentOption } from '../publishing/folderOption.ts';
import { findVersion } from '../publishing/ownAgents.ts';
import { tableOf } from '../terminal/table.ts';

const list = new Command('list')
  .description('the channels of an agent, with their versions')
  .addOption(agentOption())
  .action(async (_options: object, self: Command) => {
    const { client, agent } = await agentOf(self);
    printResult(self, await channelsOf(client, agent.id), textOf);
  });

const set = new Command('set')
  .description('point a channel at a version')
  .argument('<channel>', 'such as beta')
  .argument('<version>', 'its date, its id, or its number')
  .addOption(agentOption())
  .action(async (name: string, version: string, _options: object, self: Command) => {
    const { client, agent } = await agentOf(self);
    const { id } = await findVersion(client, agent.id, version);
    const channel = await moveChannel(client, agent.id, name, id);
    printResult(self, channel, (moved) => textOf([moved]));
  });

const remove = new Command('remove')
  .description('remove a channel: orders that name it are refused')
  .argument('<channel>')
  .addOption(agentOption())
  .action(async (name: string, _options: object, self: Command) => {
    const { client, agent } = await agentOf(self);
    const params = { path: { agent_id: agent.id, channel: name } };
    await client.api.DELETE('/v1/publisher/agents/{agent_id}/channels/{channel}', { params });
    say(`Removed the channel ${name}.`);
  });

export const channels = new Command('channels')
  .description('names for versions, as acme/poet@beta')
  .addCommand(list, { isDefault: true })
  .addCommand(withExamples(set, [['ledgerline channels set beta 2026-11-26']]))
  .addCommand(remove);

const textOf = (rows: Channel[]): string =>
  rows.length === 0
    ? 'No channels. `ledgerline channels set beta <version>` makes one.'
    : tableOf(
        [
          { title: 'channel', text: ({ name }) => name },
          { title: 'version', text: ({ version }) => version },
          { title: 'next', text: ({ next }) => next && `${next.version} on ${time(next.active_from)}` },
          {
            title: 'moved',
            text: ({ moved_at: moved }) => time(moved),
            brief: ({ moved_at: moved }) => briefTime(moved),
          },
          { title: 'orders name', text: ({ agent }) => agent },
        ],
        rows,
      );
