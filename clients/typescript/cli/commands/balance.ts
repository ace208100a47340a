import { Command } from 'commander';
import { clientOf } from '../credentials/connection.ts';
import { usd } from '../format.ts';
import { printResult, withExamples } from '../output.ts';
import { listOf } from '../terminal/table.ts';

const command = new Command('balance')
  .description('show the balance of the workspace')
  .action(async (_options, self: Command) => {
    const client = await clientOf(self);
    const { data } = await client.api.GET('/platform/v1/billing/balance');
    printResult(self, data, ({ balance_usd, held_usd, available_usd }) =>
      listOf([
        ['Balance', usd(balance_usd)],
        ['Held by running work', usd(held_usd)],
        ['Available', usd(available_usd)],
      ]),
    );
  });

export const balance = withExamples(command, [
  ['ledgerline balance'],
  ['ledgerline balance --json | jq .available_usd', 'in a script'],
]);
