import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { NotFoundError, type Ledgerline } from '../../src/index.ts';
import { agentModule, type DescribedAgent } from '../agents/agentModule.ts';
import { clientOf } from '../credentials/connection.ts';
import { Failure, usageError } from '../failure.ts';
import { printResult, withExamples } from '../output.ts';
import { findOwnAgent, readVersion } from '../publishing/ownAgents.ts';

interface Options {
  out: string;
  zod?: boolean;
  check?: boolean;
  pin?: boolean;
  private?: boolean;
}

const NAME = /^([a-z0-9-]+)\/([a-z0-9-]+)(?:@([A-Za-z0-9._-]+))?$/;

const command = new Command('add')
  .description('write an agent as a typed function of TypeScript')
  .argument('<agent>', 'acme/poet, or a channel of it: acme/poet@beta')
  .option('--out <folder>', 'where its module is written', 'src/agents')
  .option('--pin', 'call the version of now, also when a new one comes')
  .option('--zod', 'also check data at run time, by zod 4')
  .option('--private', 'the private version of an agent of this workspace, although one is public')
  .option('--check', 'write nothing; fail if the module is not what would be written')
  .action(async (name: string, options: Options, self: Command) => {
    const [, namespace, slug, release] = NAME.exec(name) ?? [];
    if (!namespace || !slug) throw usageError(`${name} is not the name of an agent, such as acme/poet.`);
    const named: Named = { namespace, slug, release };
    const { agent, isPrivate } = await describeEither(await clientOf(self), named, options.private === true);
    const called = options.pin ? `${namespace}/${slug}@${agent.version}` : name;
    const text = agentModule(agent, { agent: called, zod: options.zod === true, isPrivate });
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
    const result = { agent: called, version: agent.version, private: isPrivate, path, written: !isCurrent };
    printResult(
      self,
      result,
      () =>
        `${path} ${isCurrent ? 'is up to date' : 'was written'} (${called}, ${isPrivate ? 'private ' : ''}version ${agent.version})`,
    );
  });

export const add = withExamples(command, [
  ['ledgerline add acme/poet'],
  ['ledgerline add acme/poet@beta --out app/agents --zod', 'a channel, with checks at run time'],
  ['ledgerline add acme/poet --check', 'in CI: fails when the schemas have changed'],
]);

interface Named {
  namespace: string;
  slug: string;
  release: string | undefined;
}

/** An agent that is not public may be one of this workspace alone, as for `run`. */
async function describeEither(client: Ledgerline, named: Named, isPrivate: boolean) {
  if (!isPrivate)
    try {
      return { agent: await describe(client, named), isPrivate };
    } catch (error) {
      if (!(error instanceof NotFoundError) || named.release !== undefined) throw error;
      // A key that publishes nothing has no such agents.
      const own = await describePrivate(client, named).catch(() => undefined);
      if (!own) throw error;
      return { agent: own, isPrivate: true };
    }
  const own = await describePrivate(client, named);
  if (own) return { agent: own, isPrivate };
  throw new Failure(`This workspace has no private version of ${named.namespace}/${named.slug}.`, {
    hint: '`ledgerline publish --private` deploys one from a folder.',
  });
}

async function describePrivate(client: Ledgerline, { namespace, slug }: Named): Promise<DescribedAgent | undefined> {
  const own = await findOwnAgent(client, `${namespace}/${slug}`);
  if (!own?.private_deployment) return undefined;
  const { version, configuration } = await readVersion(client, own.private_deployment.version_id);
  const { input_schema = null, output_schema = null } = configuration;
  return { ...configuration, input_schema, output_schema, version };
}

/** The agent, or its channel. A version is described only while it is what callers get. */
async function describe({ api }: Ledgerline, { namespace, slug, release }: Named): Promise<DescribedAgent> {
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
