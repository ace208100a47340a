import { expect } from '@jest/globals';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../../../ops/stack/postgres.ts';
import { steadyPort } from '../../support/network.ts';

/** A separate PostgreSQL server for a test. It can be stopped, stalled, continued, killed and started. It may archive its log. */
export async function startOwnPostgres({ archiveDir }: { archiveDir?: string } = {}) {
  const sharedServer = process.env.TEST_DATABASE_URL;
  const dataDir = await mkdtemp(join(tmpdir(), 'ledgerline-own-'));
  await chmod(dataDir, 0o755);
  const port = await steadyPort();
  const start = () => startPostgres({ dataDir, port, archiveDir, log: () => {} });
  let running = await start();
  const { url } = running;
  process.env.TEST_DATABASE_URL = url;
  let stopped: number[] = [];

  /** The server's processes: busy sessions outlive their server for a while. */
  async function pids(): Promise<number[]> {
    const rows = await query('select pid from pg_stat_activity where pid <> pg_backend_pid()');
    return [running.pid, ...rows.map((row) => row.pid as number)];
  }

  async function query(sql: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(sql);
    await client.end();
    return rows;
  }

  const resume = () => {
    for (const pid of stopped.splice(0)) signal(pid, 'SIGCONT');
  };

  return {
    /** Runs a statement as the owner. */
    query,
    /** Stalls it: connections stay open, but get no answers. */
    stall: async () => {
      stopped = await pids();
      for (const pid of stopped) signal(pid, 'SIGSTOP');
    },
    resume,
    kill: async () => {
      for (const pid of await pids()) signal(pid, 'SIGKILL');
      await running.exited;
    },
    start: async () => void (running = await start()),
    remove: async () => {
      resume();
      process.env.TEST_DATABASE_URL = sharedServer;
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}
