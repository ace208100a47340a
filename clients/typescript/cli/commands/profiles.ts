import { Command } from 'commander';
import { readLogins, writeLogins } from '../credentials/logins.ts';
import { usageError } from '../failure.ts';
import { printResult, withExamples } from '../output.ts';
import { out } from '../terminal/colors.ts';
import { tableOf } from '../terminal/table.ts';

const list = new Command('list').description('the logins of this machine').action((_options, self: Command) => {
  const { current, logins } = readLogins();
  const found = Object.entries(logins).map(([profile, { baseUrl, workspace, label, kept }]) => ({
    profile,
    is_current: profile === current,
    base_url: baseUrl,
    workspace,
    key: label,
    kept,
  }));
  printResult(self, found, profilesText);
});

const use = new Command('use')
  .description('choose the login that commands use')
  .argument('<profile>')
  .action((profile: string, _options, self: Command) => {
    const { logins } = readLogins();
    if (!logins[profile]) throw usageError(`There is no login ${profile}.`, '`ledgerline profiles list` lists them.');
    writeLogins({ current: profile, logins });
    printResult(self, { profile }, () => `Commands use ${profile}.`);
  });

export const profiles = new Command('profiles')
  .description('several logins: list them, and choose one')
  .addCommand(list)
  .addCommand(withExamples(use, [['ledgerline profiles use acme']]));

interface Profile {
  profile: string;
  is_current: boolean;
  base_url: string;
  workspace: string | undefined;
  key: string | undefined;
  kept: string;
}

function profilesText(found: Profile[]): string {
  if (found.length === 0) return 'There are no logins. Sign in with `ledgerline login`.';
  return tableOf(
    [
      { title: '', text: ({ is_current }) => (is_current ? out.green('*') : '') },
      { title: 'profile', text: ({ profile }) => profile },
      { title: 'installation', text: ({ base_url }) => base_url },
      { title: 'workspace', shrinks: true, text: ({ workspace }) => workspace },
      { title: 'key', text: ({ key }) => key && `${key}…` },
      { title: 'kept in', text: ({ kept }) => kept },
    ],
    found,
  );
}
