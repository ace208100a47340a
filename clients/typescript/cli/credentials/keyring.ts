import { spawnSync } from 'node:child_process';

/** The keyring of the system, by the program that comes with it. Each function says whether it worked. */
interface Keyring {
  store(account: string, secret: string): boolean;
  lookup(account: string): string | null;
  remove(account: string): boolean;
}

const SERVICE = 'ledgerline';
// The person may have to unlock it.
const ANSWER_MS_MAX = 60_000;

/** Secrets go through stdin: other users of the machine can read arguments. */
const secretService: Keyring = {
  store: (account, secret) =>
    run(
      'secret-tool',
      ['store', '--label', `Ledgerline ${account}`, 'service', SERVICE, 'account', account],
      secret,
    ) !== null,
  lookup: (account) => run('secret-tool', ['lookup', 'service', SERVICE, 'account', account]),
  remove: (account) => run('secret-tool', ['clear', 'service', SERVICE, 'account', account]) !== null,
};

const macKeychain: Keyring = {
  // Its commands have quotes around texts: a key of a server must not be able to end them.
  store: (account, secret) =>
    /^[\w.:@-]+$/.test(account + secret) &&
    run('security', ['-i'], `add-generic-password -U -s ${SERVICE} -a "${account}" -w "${secret}"\n`) !== null,
  lookup: (account) => run('security', ['find-generic-password', '-s', SERVICE, '-a', account, '-w']),
  remove: (account) => run('security', ['delete-generic-password', '-s', SERVICE, '-a', account]) !== null,
};

export const keyring: Keyring = process.platform === 'darwin' ? macKeychain : secretService;

/** What a program printed; null when it is not there, failed, or did not answer. */
function run(program: string, args: string[], input = ''): string | null {
  const { status, stdout } = spawnSync(program, args, { input, encoding: 'utf8', timeout: ANSWER_MS_MAX });
  return status === 0 ? stdout.trimEnd() : null;
}
