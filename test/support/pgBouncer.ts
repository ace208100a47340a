import { execFileSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { findProgram } from '../../ops/stack/findProgram.ts';
import { startChild, type Child } from '../../ops/stack/process/child.ts';
import { migrate } from '../../db/postgres/migrations.ts';
import { ownerUrlOf } from './database.ts';
import { makeFolder } from './folder.ts';
import { steadyPort } from './network.ts';
import { until } from './until.ts';

const command = findProgram(['pgbouncer'], process.env.PATH ?? '');

/** Whether PgBouncer is here in a version that keeps prepared statements in transaction mode. */
export const hasPgBouncer = command !== undefined && isRecent(command);

function isRecent(path: string): boolean {
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

export type PgBouncer = Awaited<ReturnType<typeof startPgBouncer>>;

/** PgBouncer in transaction mode before the server of a test database, with `poolSize` connections to it. */
export async function startPgBouncer(databaseUrl: string, { poolSize = 6 } = {}) {
  const folder = await makeFolder();
  await chmod(folder.path, 0o755);
  const port = await steadyPort();
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const login = { name: decodeURIComponent(username), password: decodeURIComponent(password) };
  const ini = join(folder.path, 'pgbouncer.ini');
  await writeFile(join(folder.path, 'users'), `"${login.name}" "${login.password}"\n"stats" "of-tests"\n`);
  await writeFile(ini, settingsOf({ folder: folder.path, port, hostname, serverPort, poolSize }));
  const lines: string[] = [];
  const open = async (): Promise<Child> => {
    // It refuses to run as root.
    const asOther = userInfo().uid === 0 ? ['-u', 'nobody'] : [];
    const child = await startChild({
      command: command!,
      args: [...asOther, ini],
      onStdout: (line) => lines.push(line),
      onStderr: (line) => lines.push(line),
      stopSignal: 'SIGINT',
    });
    await until(() => accepts(port), { pollMs: 50 });
    return child;
  };
  let running = await open();
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href;

  return {
    /** The variables of a program that reaches its database through it. */
    env: { DATABASE_URL: url, DATABASE_DIRECT_URL: databaseUrl },
    url,
    lines,
    kill: async (): Promise<void> => {
      process.kill(running.pid, 'SIGKILL');
      await running.exited;
    },
    start: async (): Promise<void> => void (running = await open()),
    /** Connections to the server that it has open. */
    serverConnections: async (): Promise<number> => {
      const { rows } = await ask(port, 'show servers');
      return rows.length;
    },
    stop: async (): Promise<void> => {
      await running.stop(5_000);
      await folder.remove();
    },
  };
}

/** Stores the settings with the application's login, as a migration does where `DATABASE_DIRECT_URL` is set. */
export const storeLoginSettings = (databaseUrl: string): Promise<string[]> =>
  migrate(ownerUrlOf(databaseUrl), databaseUrl, { isPooled: true });

const settingsOf = (at: { folder: string; port: number; hostname: string; serverPort: string; poolSize: number }) => `
[databases]
* = host=${at.hostname} port=${at.serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${at.port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(at.folder, 'users')}
stats_users = stats
pool_mode = transaction
max_prepared_statements = 300
default_pool_size = ${at.poolSize}
max_client_conn = 500
query_wait_timeout = 5
server_login_retry = 1
`;

async function accepts(port: number): Promise<boolean> {
  return ask(port, 'show version').then(
    () => true,
    () => false,
  );
}

// Its console speaks the simple protocol alone.
async function ask(port: number, text: string) {
  const client = new Client({ host: '127.0.0.1', port, database: 'pgbouncer', user: 'stats', password: 'of-tests' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}
