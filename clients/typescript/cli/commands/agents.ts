import { Command } from 'commander';
import { clientOf } from '../credentials/connection.ts';
import { briefTime, time } from '../format.ts';
import { print, printResult, say, wantsJson } from '../output.ts';
import { agentOf, agentOption } from '../publishing/folderOption.ts';
import { nameOf, ownAgents, type OwnAgent } from '../publishing/ownAgents.ts';
import { statesOf } from '../publishing/states.ts';
import { tableOf } from '../terminal/table.ts';

const list = new Command('list')
  .description('the agents of the workspace')
  .action(async (_options: object, self: Command) => {
    const agents: OwnAgent[] = [];
    for await (const agent of ownAgents(await clientOf(self))) agents.push(agent);
    printResult(self, agents, textOf);
  });

const secret = new Command('tool-secret')
  .description('make or rotate the secret that signs the calls of its HTTP tools; prints it, once')
  .addOption(agentOption())
  .action(async (_options: object, self: Command) => {
    const { client, agent } = await agentOf(self);
    const params = { path: { agent_id: agent.id } };
    const { data } = await client.api.POST('/v1/publisher/agents/{agent_id}/http_tools/secret', { params });
    if (wantsJson(self)) return print(JSON.stringify(data, null, 2));
    say('Keep the secret: it is shown this once.');
    print(data.secret);
  });

export const agents = new Command('agents')
  .description('the agents of the workspace')
  .addCommand(list, { isDefault: true })
  .addCommand(secret);

const textOf = (agents: OwnAgent[]): string =>
  agents.length === 0
    ? 'No agents yet: `ledgerline init` begins one.'
    : tableOf(
        [
          { title: 'agent', text: nameOf },
          { title: 'name', optional: true, text: ({ name }) => name, shrinks: true },
          { title: 'is', text: statesOf },
          {
            title: 'changed',
            text: ({ updated_at: changed }) => time(changed),
            brief: ({ updated_at: changed }) => briefTime(changed),
          },
          { title: 'id', text: ({ id }) => id },
        ],
        agents,
      );
