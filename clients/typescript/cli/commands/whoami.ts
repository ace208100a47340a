import { Command } from 'commander';
import type { Schemas } from '../../src/index.ts';
import { clientOf, connectionOf } from '../credentials/connection.ts';
import { number, usd } from '../format.ts';
import type { GlobalOptions } from '../globalOptions.ts';
import { printResult, withExamples } from '../output.ts';
import { listOf } from '../terminal/table.ts';

const command = new Command('whoami')
  .description('show the key that is used, its workspace and its limits')
  .action(async (_options, self: Command) => {
    const { baseUrl, source, profile } = connectionOf(self.optsWithGlobals<GlobalOptions>());
    const { api } = await clientOf(self);
    const [{ data: key }, { data: workspace }, { data: keys }] = await Promise.all([
      api.GET('/platform/v1/key'),
      api.GET('/platform/v1/workspace'),
      api.GET('/platform/v1/keys'),
    ]);
    const { name, scopes, project_id } = keys.data.find(({ is_calling_key }) => is_calling_key)!;
    const me = { base_url: baseUrl, source, profile, workspace, key: { name, scopes, project_id, ...key } };
    printResult(self, me, meText);
  });

interface Me {
  base_url: string;
  source: string;
  profile: string | undefined;
  workspace: Schemas['Workspace'];
  key: Schemas['InspectedKey'] & { name: string; scopes: string[]; project_id: string };
}

const meText = ({ base_url, source, profile, workspace, key }: Me): string =>
  listOf([
    ['Installation', base_url],
    ['Workspace', `${workspace.name}${workspace.mode === 'test' ? ' (test)' : ''}`],
    ['Key', `${key.prefix}…  ${key.name}, of ${source === 'login' ? `the login ${profile}` : 'LEDGERLINE_API_KEY'}`],
    ['Scopes', key.scopes.join(', ')],
    ['Project', key.project_id === 'default' ? null : key.project_id],
    ['Balance', usd(key.balance)],
    ['Spent today', usd(key.usage_daily)],
    ['Spent this month', usd(key.usage_monthly)],
    ['Spend limit', key.limit === null ? 'none' : `${usd(key.limit_remaining)} of ${usd(key.limit)} left`],
    ['Rate limits', `${number(key.rate_limit.rpm)} requests a minute, ${number(key.rate_limit.concurrency)} at once`],
  ]);

export const whoami = withExamples(command, [['ledgerline whoami']]);
