import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import { promisify } from 'node:util';
import { type LineLog, startChild } from './process/child.ts';
import { keepSecret } from './environmentFile.ts';

type ClusterOptions = {
  initdb: string;
  user: PostgresUser;
  /** The folder of the draft while it is created, and of the password. */
  dataDir: string;
  /** The final location of the cluster. */
  cluster: string;
  log: LineLog;
};

/**
 * Creates the cluster's files unless they exist, and returns the passwords of its owner `ledgerline` and of the application's login. They
 * are created in a temporary folder and renamed, so that an interrupted first start leaves no partial cluster.
 */
export async function ensureCluster(
  options: ClusterOptions,
): Promise<{ password: string; applicationPassword: string }> {
  const password = await keepSecret(join(options.dataDir, 'password'), newPassword);
  const applicationPassword = await keepSecret(join(options.dataDir, 'applicationPassword'), newPassword);
  const isMade = await stat(join(options.cluster, 'PG_VERSION')).catch(() => undefined);
  if (!isMade) await refuseInterruptedRestore(options);
  if (!isMade) await makeCluster(options, password);
  return { password, applicationPassword };
}

/** Between two renames of a restore there is briefly no cluster: a new, empty one would hide the existing data. */
async function refuseInterruptedRestore({ dataDir, cluster }: ClusterOptions): Promise<void> {
  const replaced = (await readdir(dataDir)).filter((name) => name.startsWith('cluster.before-')).toSorted();
  if (replaced.length === 0) return;
  throw new Error(
    `${cluster} is missing, because a restore was interrupted: run it again, or rename ${join(dataDir, replaced.at(-1)!)} to ${cluster}.`,
  );
}

const newPassword = (): string => randomBytes(24).toString('hex');

async function makeCluster({ initdb, user, dataDir, cluster, log }: ClusterOptions, password: string): Promise<void> {
  const draft = join(dataDir, 'draft');
  const passwordFile = join(draft, 'password');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user.ids) await Promise.all([draft, passwordFile].map((path) => chown(path, user.ids!.uid, user.ids!.gid)));
  await runInitdb(initdb, [`--pgdata=${join(draft, 'cluster')}`, `--pwfile=${passwordFile}`], user, log);
  await rename(join(draft, 'cluster'), cluster);
  await rm(draft, { recursive: true, force: true });
}

async function runInitdb(initdb: string, places: string[], user: PostgresUser, log: LineLog): Promise<void> {
  const lines: string[] = [];
  const keep = (line: string): void => {
    lines.push(line);
    log(line);
  };
  // PostgreSQL's own C.UTF-8 does not depend on the machine's locales.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = ['--username=ledgerline', '--auth=scram-sha-256', ...locale, ...places];
  const child = await startChild({
    ...user.command(initdb, args),
    onStdout: log,
    onStderr: keep,
    stopSignal: 'SIGTERM',
  });
  const ending = await child.ended;
  if (ending !== 'exited with code 0') throw new Error(`PostgreSQL's initdb ${ending}: ${lines.slice(-3).join(' ')}`);
}

const run = promisify(execFile);

type UserIds = { uid: number; gid: number };

/** The user who runs PostgreSQL's programs. Without `ids` it is the current user. */
export type PostgresUser = {
  ids?: UserIds;
  /** Wraps a command so that it runs as this user. */
  command(program: string, args: string[]): { command: string; args: string[]; uid?: number; gid?: number };
};

/**
 * PostgreSQL refuses to run as root, so root runs it as the system user `postgres`, which is created if missing. Any other user runs it as
 * itself.
 * @param paths the paths that the user must be able to reach: the data folder and the programs.
 * @throws a message with instructions if the user cannot be created or cannot reach the paths.
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
    'PostgreSQL does not run as root, and the user "postgres" could not be created: create it, run this ' +
      'command as an ordinary user, or set DATABASE_URL.',
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

/** Linux can pass one capability along with the change of user: it allows entering a closed folder without opening it to everybody. */
async function reachPrefix({ uid, gid }: UserIds, closed: string): Promise<string[]> {
  const capability = '+dac_override';
  const prefix = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  prefix.push(`--inh-caps=${capability}`, `--ambient-caps=${capability}`);
  // initdb looks for its programs with access(2), which otherwise drops an ordinary user's capabilities. Root's still end with the next
  // program.
  prefix.push('--securebits=+no_setuid_fixup');
  await run('setpriv', [...prefix, 'ls', closed]).catch(() => {
    throw new Error(
      `The user "postgres" cannot enter ${closed}, and PostgreSQL does not run as root: put the project into a ` +
        'folder that others may enter, run this command as an ordinary user, or set DATABASE_URL.',
    );
  });
  return prefix;
}
