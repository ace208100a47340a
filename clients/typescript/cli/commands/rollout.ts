import { Command } from 'commander';
import type { Ledgerline } from '../../src/index.ts';
import { Failure, usageError } from '../failure.ts';
import { time, usd } from '../format.ts';
import { parseCount } from '../options.ts';
import { printResult, withExamples } from '../output.ts';
import { parseHours, parseShares } from '../publishing/arguments.ts';
import { agentOf, agentOption } from '../publishing/folderOption.ts';
import { findVersion, readVersion, type Deployment, type OwnAgent } from '../publishing/ownAgents.ts';
import { stateOf } from '../publishing/states.ts';
import { tableOf } from '../terminal/table.ts';

interface Options {
  steps?: number[];
  runs?: number;
  hours?: number;
  promote?: boolean;
}

export const rollout = withExamples(
  new Command('rollout')
    .description('show, plan or end the rollout of a version')
    .argument('[version]', 'a version or dep_…; the one in review or rolled out when left out')
    .option('--steps <percentages>', 'the shares of new sessions that get it, as 10,50,100', parseShares)
    .option('--runs <count>', 'with --steps: the least number of finished runs of each step', parseCount)
    .option('--hours <count>', 'with --steps: the least time of each step', parseHours)
    .option('--promote', 'make it the default now')
    .addOption(agentOption())
    .action(async (version: string | undefined, options: Options, self: Command) => {
      refuseTogether(options);
      const { client, agent } = await agentOf(self);
      const deployment = await deploymentOf(client, agent, version);
      await show(self, client, await move(client, deployment, options));
    }),
  [
    ['ledgerline rollout'],
    ['ledgerline rollout --steps 10,50,100 --runs 50 --hours 4'],
    ['ledgerline rollout --promote'],
  ],
);

function refuseTogether({ steps, runs, hours, promote }: Options): void {
  if (promote && steps) throw usageError('--promote ends the steps: name one of both.');
  if (!steps && (runs !== undefined || hours !== undefined)) throw usageError('--runs and --hours need --steps.');
}

/** The deployment of a version that is in review, rolled out, or public. */
async function deploymentOf(client: Ledgerline, agent: OwnAgent, name: string | undefined): Promise<Deployment> {
  const shown = [agent.public_submission, agent.public_deployment].filter((one) => one !== null);
  if (name?.startsWith('dep_')) {
    const { data } = await client.api.GET('/v1/publisher/deployments/{deployment_id}', {
      params: { path: { deployment_id: name } },
    });
    return data;
  }
  const versionId = name === undefined ? undefined : (await findVersion(client, agent.id, name)).id;
  const found = shown.find(({ version_id: id }) => versionId === undefined || id === versionId);
  if (found) return found;
  const places = 'in review, rolled out or public';
  throw new Failure(name ? `Version ${name} is not ${places}.` : `No version of the agent is ${places}.`, {
    hint: '`ledgerline versions` shows what each version is.',
  });
}

async function move(
  { api }: Ledgerline,
  deployment: Deployment,
  { steps, runs, hours, promote }: Options,
): Promise<Deployment> {
  const params = { path: { deployment_id: deployment.id } };
  if (promote) return (await api.POST('/v1/publisher/deployments/{deployment_id}/promote', { params })).data;
  if (!steps) return deployment;
  const plan = steps.map((percentage) => ({
    percentage,
    ...(runs !== undefined && { runs_min: runs }),
    ...(hours !== undefined && { hours_min: hours }),
  }));
  const { data } = await api.POST('/v1/publisher/deployments/{deployment_id}/rollout', {
    params,
    body: { steps: plan },
  });
  return data;
}

type Step = NonNullable<Deployment['rollout']>['steps'][number];

/** Prints how the rollout of a version stands. */
export async function show(self: Command, client: Ledgerline, deployment: Deployment): Promise<void> {
  const { version } = await readVersion(client, deployment.version_id);
  printResult(self, deployment, () => textOf(version, deployment));
}

function textOf(version: string, deployment: Deployment): string {
  const { id, rollout: plan } = deployment;
  const head = `${version} (${id}) is ${stateOf(deployment)}.`;
  const reason = plan?.reason ? ` ${plan.reason}` : '';
  if (!plan || plan.steps.length === 0) return `${head}${reason} No steps: an approval is for everyone at once.`;
  return `${head}${reason}\n\n${tableOf<Step>(COLUMNS, plan.steps)}`;
}

const seen = (step: Step['new_version']): string =>
  step === null
    ? '-'
    : `${step.runs} runs, ${step.completion_rate === null ? '-' : `${Math.round(step.completion_rate * 100)} %`}, ${usd(step.median_cost_usd)}`;

const COLUMNS = [
  { title: 'share', text: ({ percentage }: Step) => `${percentage} %`, align: 'right' as const },
  { title: 'at least', text: ({ runs_min: runs, hours_min: hours }: Step) => `${runs} runs, ${hours} h` },
  { title: 'began', text: ({ started_at: began }: Step) => time(began) },
  { title: 'outcome', text: ({ outcome }: Step) => outcome },
  { title: 'this version', text: ({ new_version: version }: Step) => seen(version) },
  { title: 'public version', text: ({ live_version: version }: Step) => seen(version) },
];
