import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { NotFoundError, type Agent, type Ledgerline } from '../../src/index.ts';
import { agentModule } from '../agents/agentModule.ts';
import { clientOf } from '../credentials/connection.ts';
import { Failure, usageError } from '../failure.ts';
import { printResult, withExamples } from '../output.ts';

interface Options {
  out: string;
  zod?: boolean;
  check?: boolean;
  pin?: boolean;
}

const NAME = /^([a-z0-9-]+)\/([a-z0-9-]+)(?:@([A-Za-z0-9._-]+))?$/;

const command = new Command('add')
  .description('write an agent as a typed function of TypeScript')
  .argument('<agent>', 'acme/poet, or a channel of it: acme/poet@beta')
  .option('--out <folder>', 'where its module is written', 'src/agents')
  .option('--pin', 'call the version of now, also when a new one comes')
  .option('--zod', 'also check data at run time, by zod 4')
  .option('--check', 'write nothing; fail if the module is not what would be written')
  .action(async (name: string, options: Options, self: Command) => {
    const [, namespace, slug, release] = NAME.exec(name) ?? [];
    if (!namespace || !slug) throw usageError(`${name} is not the name of an agent, such as acme/poet.`);
    const agent = await describe(await clientOf(self), { namespace, slug, release });
    const called = options.pin ? `${namespace}/${slug}@${agent.version}` : name;
    const text = agentModule(agent, { agent: called, zod: options.zod === true });
    const path = join(options.out, `${slug}.ts`);
    const isCurrent = textAt(path) === text;
    if (options.check && !isCurrent)
      throw new Failure(`${path} is not what ${called} takes and gives now.`, {
        hint: `Write it: ledgerline add ${name}`,
      });
    if (!isCurrent) {
      mkdirSync(options.out, { recursive: true });
      writeFileSync(path, text);
    }
    const result = { agent: called, version: agent.version, path, written: !isCurrent };
    printResult(
      self,
      result,
      () => `${path} ${isCurrent ? 'is up to date' : 'was written'} (${called}, version ${agent.version})`,
    );
  });

export const add = withExamples(command, [
  ['ledgerline add acme/poet'],
  ['ledgerline add acme/poet@beta --out app/agents --zod', 'a channel, with checks at run time'],
  ['ledgerline add acme/poet --check', 'in CI: fails when the schemas have changed'],
]);

/** The agent, or its channel. A version is described only while it is what callers get. */
async function describe(
  { api }: Ledgerline,
  { namespace, slug, release }: { namespace: string; slug: string; release: string | undefined },
): Promise<Agent> {
  const read = async (named: string) =>
    (await api.GET('/v1/agents/{namespace}/{slug}', { params: { path: { namespace, slug: named } } })).data;
  if (release === undefined) return read(slug);
  try {
    return await read(`${slug}@${release}`);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const agent = await read(slug);
    if (agent.version === release) return agent;
    const channels = agent.channels.map((channel) => channel.agent).join(', ') || 'none';
    throw new Failure(`${namespace}/${slug} has no channel ${release}, and is at version ${agent.version}.`, {
      hint: `Channels: ${channels}.`,
    });
  }
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
