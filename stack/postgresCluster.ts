import { randomBytes } from 'node:crypto';
import { chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LineLog, startChild } from './child.ts';
import { keepSecret } from './environmentFile.ts';
import type { PostgresUser } from './postgresUser.ts';

export type ClusterOptions = {
  initdb: string;
  user: PostgresUser;
  /** The folder that holds the draft while it is made, and the password. */
  dataDir: string;
  /** Where the finished cluster goes. */
  cluster: string;
  log: LineLog;
};

/**
 * Makes the cluster's files unless they are there, and returns the passwords of its owner
 * `ledgerline` and of the application's login.
 * They are made beside their place and renamed, so that an interrupted first start leaves nothing half made.
 */
export async function ensureCluster(
  options: ClusterOptions,
): Promise<{ password: string; applicationPassword: string }> {
  const password = await keepSecret(join(options.dataDir, 'password'), newPassword);
  const applicationPassword = await keepSecret(join(options.dataDir, 'applicationPassword'), newPassword);
  const isMade = await stat(join(options.cluster, 'PG_VERSION')).catch(() => undefined);
  if (!isMade) await makeCluster(options, password);
  return { password, applicationPassword };
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
  // PostgreSQL's own C.UTF-8 does not depend on the locales that the machine has.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = ['--username=ledgerline', '--auth=scram-sha-256', ...locale, ...places];
  const child = await startChild({
    ...user.command(initdb, args),
    onStdout: log,
    onStderr: keep,
    stopSignal: 'SIGTERM',
  });
  const ending = await child.exited;
  if (ending !== 'exited with code 0') throw new Error(`PostgreSQL's initdb ${ending}: ${lines.slice(-3).join(' ')}`);
}
