import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { Ledgerline } from '../../src/index.ts';
import { config } from '../config.ts';
import { revokeLogin, storeLogin } from '../credentials/changeLogins.ts';
import { originOf, LOCAL } from '../credentials/connection.ts';
import { beginDeviceFlow, type DeviceKey, type Scopes } from '../credentials/deviceFlow.ts';
import { readLogins, type Login } from '../credentials/logins.ts';
import { openBrowser } from '../credentials/openBrowser.ts';
import { usageError } from '../failure.ts';
import type { GlobalOptions } from '../globalOptions.ts';
import { collect } from '../options.ts';
import { printResult, say, wantsJson, withExamples } from '../output.ts';
import { err } from '../terminal/colors.ts';
import { onInterrupt } from '../terminal/interrupts.ts';
import { askSecret, Interrupted } from '../terminal/prompts.ts';
import { statusLine } from '../terminal/statusLine.ts';
import { canAsk, isLive } from '../terminal/terminal.ts';

interface Options {
  browser: boolean;
  scopes?: string[];
  key?: boolean;
}

const command = new Command('login')
  .description('sign in through the console, and keep the key on this machine')
  .option('--no-browser', 'only print the address')
  .option(
    '--scopes <list>',
    'ask for these: llm, agents, voice, batch, publisher, contents, manage; you choose when left out',
    collect,
  )
  .option('--key', 'read an existing key from stdin instead')
  .action(async (options: Options, self: Command) => {
    const { baseUrl: wanted, profile: named } = self.optsWithGlobals<GlobalOptions>();
    const { current, logins } = readLogins();
    const known = logins[named ?? current ?? ''];
    const baseUrl = originOf(wanted ?? config.baseUrl) ?? known?.baseUrl ?? LOCAL;
    const profile = named ?? new URL(baseUrl).host;
    const { key, ...login } = options.key
      ? await givenKey(baseUrl)
      : await grantedKey(baseUrl, options, wantsJson(self));
    const before = logins[profile];
    // The new key replaces the old one, which nobody would use any more.
    if (before?.baseUrl === baseUrl) await revokeLogin(profile, before);
    const kept = storeLogin(profile, { ...login, baseUrl }, key);
    printResult(self, { profile, base_url: baseUrl, workspace: login.workspace, key: login.label, kept }, () =>
      signedInText(profile, { ...login, baseUrl, kept }),
    );
    if (config.apiKey !== undefined) say(err.yellow('LEDGERLINE_API_KEY is set, and is used instead of this login.'));
  });

export const login = withExamples(command, [
  ['ledgerline login --base-url https://ledgerline.example.com'],
  ['ledgerline login --no-browser --scopes agents,publisher', 'on a machine without a browser'],
  ['ledgerline login --key < key.txt', 'with a key that you have'],
]);

type Granted = Pick<Login, 'keyId' | 'label' | 'workspace'> & { key: string };

/** Shows a code, and waits until somebody has approved it in the console. */
async function grantedKey(baseUrl: string, { browser, scopes }: Options, isJson: boolean): Promise<Granted> {
  const flow = await beginDeviceFlow(baseUrl, scopes as Scopes | undefined);
  const { user_code, verification_uri_complete: page } = flow.codes;
  if (isJson) say(JSON.stringify({ user_code, verification_uri_complete: page, expires_in: flow.codes.expires_in }));
  else {
    say(`Your code: ${err.bold(user_code)}`);
    say(
      `${browser && isLive() && openBrowser(page) ? 'Approve it in the browser, or open' : 'Open'} ${err.cyan(page)}`,
    );
  }
  const leaving = new AbortController();
  const interrupts = onInterrupt(
    () => leaving.abort(new Interrupted()),
    () => '',
  );
  const status = statusLine();
  status.set('waiting for you to approve it');
  try {
    return grantOf(await flow.key(leaving.signal));
  } finally {
    status.clear();
    interrupts.release();
  }
}

const grantOf = ({ api_key, key, workspace }: DeviceKey): Granted => ({
  key: api_key,
  keyId: key.id,
  label: key.prefix,
  workspace: workspace.name + (workspace.mode === 'test' ? ' (test)' : ''),
});

/** A key that the person has, if the installation takes it. */
async function givenKey(baseUrl: string): Promise<Granted> {
  const key = (canAsk() ? await askSecret('The key') : await text(process.stdin)).trim();
  if (key === '') throw usageError('No key came.', 'Send it to stdin: ledgerline login --key < key.txt');
  const { api } = new Ledgerline({ baseUrl, apiKey: key });
  const [{ data }, { data: workspace }] = await Promise.all([
    api.GET('/platform/v1/key'),
    api.GET('/platform/v1/workspace'),
  ]);
  return { key, label: data.prefix, workspace: workspace.name + (workspace.mode === 'test' ? ' (test)' : '') };
}

function signedInText(profile: string, { workspace, baseUrl, label, kept }: Omit<Login, 'key'>): string {
  const place =
    kept === 'keyring' ? 'the keyring of the system' : `${config.folder}/logins.json, which only you can read`;
  const named = profile === new URL(baseUrl).host ? '' : `, as ${profile}`;
  return `${err.green('✓')} Signed in to the workspace ${workspace} at ${baseUrl}${named}.\nThe key ${label}… is in ${place}.`;
}
