import { Command } from 'commander';
import type { Ledgerline, RunEvent, Schemas, StreamOptions } from '../../../src/index.ts';
import { clientOf } from '../../credentials/connection.ts';
import { time } from '../../format.ts';
import { collect } from '../../options.ts';
import { print, printResult, wantsJson, withExamples } from '../../output.ts';
import { out } from '../../terminal/colors.ts';
import { checkOutcome, followRun } from '../../runs/followRun.ts';
import { runText } from '../../runs/runText.ts';
import { billLine } from '../../runs/runView.ts';

const getCommand = new Command('get')
  .description('a run with its steps, its bill and its output')
  .argument('<id>', 'run_…')
  .action(async (id: string, _options, self: Command) => {
    const client = await clientOf(self);
    const run = await client.runs.get(id);
    if (wantsJson(self)) return print(JSON.stringify(run, null, 2));
    const steps: Schemas['RunStepPage']['data'] = [];
    for await (const step of client.pages('/v1/runs/{run_id}/steps', { path: { run_id: id } })) steps.push(step);
    print(runText(run, steps));
  });

export const get = withExamples(getCommand, [['ledgerline runs get run_…']]);

interface EventOptions {
  follow?: boolean;
  after?: string;
  include?: StreamOptions['include'];
}

const eventsCommand = new Command('events')
  .description('the events of a run')
  .argument('<id>', 'run_…')
  .option('-f, --follow', 'go on until its end, and answer what it asks; Ctrl-C leaves, the run goes on')
  .option('--after <id>', 'those after this event')
  .option('--include <groups>', 'of steps, deltas, reasoning and cost only these', collect)
  .action(async (id: string, { follow, after, include }: EventOptions, self: Command) => {
    const client = await clientOf(self);
    if (follow) {
      checkOutcome(await followRun(self, client, id, { cancels: false, lastEventId: after, include }));
      return;
    }
    const lineOf = wantsJson(self) ? (event: RunEvent) => JSON.stringify(event) : eventLine;
    for await (const event of eventsOf(client, id, { after, include })) print(lineOf(event));
  });

export const events = withExamples(eventsCommand, [
  ['ledgerline runs events run_… --follow', 'watch a run that was started elsewhere'],
  ['ledgerline runs events run_… --json --include steps | jq -c .data'],
]);

const cancelCommand = new Command('cancel')
  .description('stop runs; what they have used so far is paid')
  .argument('<id...>', 'run_…')
  .option('--graceful', 'let a running tool finish, within 30 seconds')
  .option('--reason <text>', 'a note on the run')
  .action(async (ids: string[], { graceful, reason }: { graceful?: boolean; reason?: string }, self: Command) => {
    const client = await clientOf(self);
    for (const id of ids) {
      const order = { mode: graceful ? ('graceful' as const) : ('immediate' as const), reason };
      const stopped = await client.runs.cancel(id, order);
      printResult(self, stopped, billLine);
    }
  });

export const cancel = withExamples(cancelCommand, [['ledgerline runs cancel run_…']]);

/** The events so far. */
async function* eventsOf(client: Ledgerline, runId: string, { after, include }: EventOptions) {
  let cursor: string | undefined;
  do {
    const { data } = await client.api.GET('/v1/runs/{run_id}/events', {
      params: {
        path: { run_id: runId },
        query: { limit: 100, cursor, starting_after: cursor ? undefined : after, include: include?.join(',') },
      },
      headers: { accept: 'application/json' },
    });
    if (!data) return;
    yield* data.data;
    cursor = data.has_more ? (data.next_cursor ?? undefined) : undefined;
  } while (cursor !== undefined);
}

function eventLine({ id, created_at, type, data }: RunEvent): string {
  const text = JSON.stringify(data);
  return `${out.dim(time(created_at))}  ${out.cyan(type)}  ${text.length > 160 ? `${text.slice(0, 159)}…` : text}  ${out.dim(id)}`;
}
