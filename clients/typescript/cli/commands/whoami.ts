import { Command } from 'commander';
import { clientOf, connectionOf } from '../credentials/connection.ts';
import { usd } from '../format.ts';
import type { GlobalOptions } from '../globalOptions.ts';
import { printResult, withExamples } from '../output.ts';
import { listOf } from '../terminal/table.ts';

const command = new Command('whoami')
  .description('show the key that is used, its workspace and its limits')
  .action(async (_options, self: Command) => {
    const { baseUrl, source, profile } = connectionOf(self.optsWithGlobals<GlobalOptions>());
    const { api } = await clientOf(self);
    const [{ data: key }, { data: workspace }] = await Promise.all([
      api.GET('/platform/v1/key'),
      api.GET('/platform/v1/workspace'),
    ]);
    printResult(self, { base_url: baseUrl, source, profile, workspace: workspace, key: key }, (me) =>
      listOf([
        ['Installation', me.base_url],
        ['Workspace', `${me.workspace.name}${me.workspace.mode === 'test' ? ' (test)' : ''}`],
        ['Key', `${me.key.label}, ${me.source === 'login' ? `of the login ${me.profile}` : 'of LEDGERLINE_API_KEY'}`],
        ['Balance', usd(me.key.balance)],
        ['Spent today', usd(me.key.usage_daily)],
        ['Spent this month', usd(me.key.usage_monthly)],
        ['Ceiling', me.key.limit === null ? 'none' : `${usd(me.key.limit_remaining)} of ${usd(me.key.limit)} left`],
        ['Rate limits', `${me.key.rate_limit.rpm} requests a minute, ${me.key.rate_limit.concurrency} at once`],
      ]),
    );
  });

export const whoami = withExamples(command, [['ledgerline whoami']]);
