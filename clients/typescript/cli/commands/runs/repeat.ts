import { Command } from 'commander';
import type { Schemas } from '../../../src/index.ts';
import { clientOf } from '../../credentials/connection.ts';
import { usageError } from '../../failure.ts';
import { number, usd } from '../../format.ts';
import { parseCount, parseUsd } from '../../options.ts';
import { print, printResult, say, wantsJson, withExamples } from '../../output.ts';
import { askYesNo } from '../../terminal/prompts.ts';
import { canAsk } from '../../terminal/terminal.ts';
import { tableOf } from '../../terminal/table.ts';
import { checkOutcome, followRun } from '../../runs/followRun.ts';
import { startOrCancel } from '../../runs/startOrCancel.ts';
import { queryOf, withRunFilters, type RunFilters } from './filters.ts';

interface RerunOptions {
  fromStep: string;
  input?: string;
  version?: string;
  maxCostUsd?: number;
  detach?: boolean;
}

const rerunCommand = new Command('rerun')
  .description('run an ended run again from one of its steps; the results before are reused')
  .argument('<id>', 'run_…')
  .requiredOption('--from-step <step>', 'the first step to run anew, by its number or id')
  .option('--input <text>', 'another input')
  .option('--version <version>', 'another version of the agent')
  .option('--max-cost-usd <usd>', 'the most that it may cost', parseUsd)
  .option('--detach', 'start it, print its id, and leave')
  .action(async (id: string, { fromStep, maxCostUsd, detach, ...rest }: RerunOptions, self: Command) => {
    const client = await clientOf(self);
    const from_step = /^\d+$/.test(fromStep) ? Number(fromStep) : fromStep;
    const order = {
      params: { path: { run_id: id } },
      body: { from_step, ...rest, max_cost_usd: maxCostUsd },
    };
    const started = await startOrCancel(
      client,
      async () => (await client.api.POST('/v1/runs/{run_id}/rerun', order)).data,
    );
    if (detach) return print(wantsJson(self) ? JSON.stringify(started) : started.id);
    checkOutcome(await followRun(self, client, started.id, { cancels: true }));
  });

export const rerun = withExamples(rerunCommand, [
  ['ledgerline runs rerun run_… --from-step 3'],
  ['ledgerline runs rerun run_… --from-step 1 --input "Only the first quarter."'],
]);

interface ReplayOptions extends RunFilters {
  replayVersion?: string;
  maxCostUsd?: number;
  limit: number;
  yes?: boolean;
}

const replayCommand = withRunFilters(
  new Command('replay').description('repeat the failed runs that fit, each once; says before what it may cost'),
)
  .option('--replay-version <version>', 'the version that repeats them')
  .option('--max-cost-usd <usd>', 'the most that each may cost', parseUsd)
  .option('--limit <count>', 'at most so many', parseCount, 100)
  .option('-y, --yes', 'do not ask')
  .action(async ({ replayVersion, maxCostUsd, limit, yes, ...filters }: ReplayOptions, self: Command) => {
    const client = await clientOf(self);
    const { status, ...query } = queryOf(filters);
    const order: Schemas['ReplayOrder'] = {
      ...query,
      ...(status && { status: [status] as NonNullable<Schemas['ReplayOrder']['status']> }),
      replay_version: replayVersion,
      max_cost_usd: maxCostUsd,
      limit,
    };
    const { data: quote } = await client.api.POST('/v1/runs/replay/quote', { body: order });
    say(quoteText(quote));
    if (quote.count === 0) return;
    if (!yes) await confirm();
    const { data } = await client.api.POST('/v1/runs/replay', { body: order });
    printResult(self, data, replayText);
  });

export const replay = withExamples(replayCommand, [
  ['ledgerline runs replay --fault provider --from 24h'],
  ['ledgerline runs replay --agent acme/poet --code overloaded --yes'],
]);

async function confirm(): Promise<void> {
  if (!canAsk()) throw usageError('Nobody is there to confirm it.', 'Repeat them with --yes.');
  if (!(await askYesNo({ message: 'Repeat them?' }))) throw usageError('Nothing was repeated.');
}

function quoteText({ count, refused, p50_usd, max_usd, has_more }: Schemas['ReplayQuote']): string {
  const likely = p50_usd === null ? '' : `, probably ${usd(p50_usd)}`;
  const cannot = refused > 0 ? ` ${number(refused)} cannot be repeated.` : '';
  const more = has_more ? ' More fit: repeat the command after this.' : '';
  return `${number(count)} runs, at most ${usd(max_usd)}${likely}.${cannot}${more}`;
}

function replayText({ data, stopped_by: stop }: Schemas['Replay']): string {
  const table = tableOf(
    [
      { title: 'run', text: ({ run_id }) => run_id },
      { title: 'repeated as', text: ({ new_run_id }) => new_run_id },
      { title: 'refused', shrinks: true, text: ({ error }) => error?.message ?? '' },
    ],
    data,
  );
  return stop ? `${table}\n\nIt stopped: ${stop.message}` : table;
}
