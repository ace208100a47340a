import { Command } from 'commander';
import type { Schemas } from '../../src/index.ts';
import { clientOf } from '../credentials/connection.ts';
import { number, usd } from '../format.ts';
import { parsePast } from '../options.ts';
import { printResult, withExamples } from '../output.ts';
import { out } from '../terminal/colors.ts';
import { tableOf, type Column } from '../terminal/table.ts';

type Report = Schemas['UsageReport'];
type Row = Report['data'][number];

interface Options {
  by: string;
  from?: string;
  to?: string;
  model?: string;
  key?: string;
  project?: string;
}

const command = new Command('usage')
  .description('what was used, and what it cost')
  .option('--by <groups>', 'one or two of day, hour, model, key, agent, product, meter, member, project, route', 'day')
  .option('--from <time>', 'since a date, or a span such as 7d', parsePast)
  .option('--to <time>', 'until a date', parsePast)
  .option('--model <name>', 'only this model')
  .option('--key <key>', 'only this key, by its id or its first characters')
  .option('--project <id>', 'only this project')
  .action(async ({ by, ...query }: Options, self: Command) => {
    const { api } = await clientOf(self);
    const { data } = await api.GET('/platform/v1/usage', { params: { query: { group_by: by, ...query } } });
    printResult(self, data, reportText);
  });

export const usage = withExamples(command, [
  ['ledgerline usage --from 7d'],
  ['ledgerline usage --by model,day --from 2026-11-01', 'each model, day by day'],
  ['ledgerline usage --by agent --json', 'for a program'],
]);

function reportText({ group_by, data, total }: Report): string {
  const columns: Column<Row>[] = [
    ...group_by.map((group) => ({ title: group, shrinks: true, text: (row: Row) => nameIn(row, group) })),
    { title: 'calls', align: 'right', text: ({ requests }) => number(requests) },
    { title: 'runs', align: 'right', text: ({ runs }) => number(runs) },
    { title: 'errors', align: 'right', text: ({ errors }) => number(errors) },
    { title: 'cost', align: 'right', text: ({ cost_usd }) => usd(cost_usd) },
    { title: 'units', optional: true, shrinks: true, text: ({ units }) => units.map(unitText).join(', ') },
  ];
  const sum = `${number(total.requests)} calls, ${number(total.runs)} runs, ${number(total.errors)} errors`;
  return `${tableOf(columns, data)}\n\n${out.bold(usd(total.cost_usd))} ${out.dim(sum)}`;
}

/** Keys, agents, members and projects have a name beside their id. */
const nameIn = (row: Row, group: string): string | null =>
  (['key', 'agent', 'member', 'project'].includes(group) && row.label) ||
  ((row as Record<string, unknown>)[group] as string | null);

const unitText = ({ unit, quantity }: Row['units'][number]): string =>
  `${number(quantity)} ${unit.replaceAll('_', ' ')}`;
