import { Command } from 'commander';
import { clientOf } from '../login.ts';
import { print } from '../output.ts';

export const whoami = (): Command =>
  new Command('whoami')
    .description('show the key that is used, its workspace and its scopes')
    .action(async (_, command: Command) => {
      const { data } = await clientOf(command).api.GET('/platform/v1/key');
      print(JSON.stringify(data, null, 2));
    });
