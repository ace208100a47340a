import { Command } from 'commander';
import type { Run } from '../../../src/index.ts';
import { clientOf } from '../../credentials/connection.ts';
import { briefTime, span, time, usd } from '../../format.ts';
import { parseCount } from '../../options.ts';
import { printResult, withExamples } from '../../output.ts';
import { tableOf } from '../../terminal/table.ts';
import { statusText } from '../../runs/statusText.ts';
import { queryOf, withRunFilters, type RunFilters } from './filters.ts';

const command = withRunFilters(new Command('list').description('the last runs'))
  .option('--limit <count>', 'at most so many', parseCount, 20)
  .action(async ({ limit, ...filters }: RunFilters & { limit: number }, self: Command) => {
    const client = await clientOf(self);
    const found: Run[] = [];
    const query = { ...queryOf(filters), limit: Math.min(limit, 100) };
    for await (const run of client.pages('/v1/runs', { query })) if (found.push(run) === limit) break;
    printResult(self, found, runsText);
  });

export const list = withExamples(command, [
  ['ledgerline runs list --status failed --from 24h'],
  ['ledgerline runs list --agent acme/poet --metadata team=support --json', 'for a program'],
]);

function runsText(runs: Run[]): string {
  if (runs.length === 0) return 'No runs fit. `ledgerline run ledgerline/writer "A haiku."` makes one.';
  return tableOf(
    [
      { title: 'id', text: ({ id }) => id },
      { title: 'when', text: ({ created_at }) => time(created_at), brief: ({ created_at }) => briefTime(created_at) },
      { title: 'agent', shrinks: true, text: ({ agent }) => agent },
      { title: 'status', text: statusText },
      {
        title: 'took',
        align: 'right',
        text: ({ duration_seconds: took }) => (took === null ? '-' : span(took * 1000)),
      },
      { title: 'cost', align: 'right', text: ({ usage }) => usd(usage.total_usd) },
      { title: 'source', optional: true, text: ({ source }) => source },
    ],
    runs,
  );
}
