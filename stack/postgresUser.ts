import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

type UserIds = { uid: number; gid: number };

/** Who runs PostgreSQL's programs. Without `ids` it is the user who runs us. */
export type PostgresUser = {
  ids?: UserIds;
  /** Turns a command into the one that runs it as this user. */
  command(program: string, args: string[]): { command: string; args: string[]; uid?: number; gid?: number };
};

/**
 * PostgreSQL refuses to run as root, so root runs it as the system user `postgres`, which is created when it is missing.
 * An ordinary user runs it as himself.
 * @param paths what that user has to reach: the data folder and the programs.
 * @throws a sentence that says what to do when the user cannot be made or cannot reach the paths.
 */
export async function postgresUser(paths: string[]): Promise<PostgresUser> {
  if (process.getuid?.() !== 0) return { command: (command, args) => ({ command, args }) };
  const ids = (await findUser()) ?? (await createUser());
  const closed = await firstClosedFolder(paths);
  if (closed === undefined) return { ids, command: (command, args) => ({ command, args, ...ids }) };
  const prefix = await reachPrefix(ids, closed);
  return { ids, command: (program, args) => ({ command: 'setpriv', args: [...prefix, program, ...args] }) };
}

async function findUser(): Promise<UserIds | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function createUser(): Promise<UserIds> {
  await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']).catch(() => undefined);
  const ids = await findUser();
  if (ids) return ids;
  throw new Error(
    'PostgreSQL does not run as root, and the user "postgres" could not be created: create it, run this command as an ordinary user, or set DATABASE_URL.',
  );
}

/** The first folder on the way to `paths` that only its owner may enter, such as /root. */
async function firstClosedFolder(paths: string[]): Promise<string | undefined> {
  for (const path of paths) {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      const { mode } = await stat(folder);
      if ((mode & 0o001) === 0) return folder;
    }
  }
  return undefined;
}

/** Linux can hand one capability down with the change of user: that enters a closed folder without opening it to everybody. */
async function reachPrefix({ uid, gid }: UserIds, closed: string): Promise<string[]> {
  const capability = '+dac_override';
  const prefix = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  prefix.push(`--inh-caps=${capability}`, `--ambient-caps=${capability}`);
  await run('setpriv', [...prefix, 'ls', closed]).catch(() => {
    throw new Error(
      `The user "postgres" cannot enter ${closed}, and PostgreSQL does not run as root: put the project into a folder that others may enter, run this command as an ordinary user, or set DATABASE_URL.`,
    );
  });
  return prefix;
}
