import { Command } from 'commander';
import { forgetLogin, revokeLogin } from '../credentials/changeLogins.ts';
import { connectionOf } from '../credentials/connection.ts';
import { readLogins } from '../credentials/logins.ts';
import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../globalOptions.ts';
import { printResult, say, withExamples } from '../output.ts';
import { err } from '../terminal/colors.ts';

const command = new Command('logout')
  .description('forget a login, and revoke the key that it made')
  .option('--all', 'all logins of this machine')
  .action(async ({ all }: { all?: boolean }, self: Command) => {
    const { logins } = readLogins();
    const profiles = all ? Object.keys(logins) : [profileOf(self)];
    const ended: { profile: string; revoked: boolean }[] = [];
    for (const profile of profiles) {
      const login = logins[profile]!;
      const revoked = await revokeLogin(profile, login);
      forgetLogin(profile);
      ended.push({ profile, revoked });
      if (login.keyId !== undefined && !revoked)
        say(err.yellow(`The key ${login.label}… could not be revoked. Revoke it at ${login.baseUrl}/keys.`));
    }
    printResult(self, ended, () =>
      ended
        .map(({ profile, revoked }) => `Signed out of ${profile}${revoked ? ', its key is revoked' : ''}.`)
        .join('\n'),
    );
  });

export const logout = withExamples(command, [['ledgerline logout'], ['ledgerline logout --profile acme']]);

function profileOf(self: Command): string {
  const { profile } = connectionOf(self.optsWithGlobals<GlobalOptions>(), { ignoresKey: true });
  if (profile === undefined) throw new Failure('You are not signed in.');
  return profile;
}
