import { afterAll, expect, test } from '@jest/globals';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type RunningPostgres, startPostgres } from '../../../ops/stack/postgres.ts';

let running: RunningPostgres;
const start = (): Promise<RunningPostgres> => startPostgres({ dataDir, log: () => {} });

const dataDir = await mkdtemp(join(tmpdir(), 'ledgerline-postgres-'));
await chmod(dataDir, 0o755);
running = await start();

afterAll(async () => {
  await running.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function query(sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: running.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('a second start finds the rows of the first at the same address', async () => {
  await query('create table note (text text)');
  await query(`insert into note values ('kept')`);
  const { url } = running;
  await running.stop();
  running = await start();
  expect(running.url).toBe(url);
  expect(await query('select text from note')).toEqual([{ text: 'kept' }]);
});

test('a start after the server was killed recovers committed rows', async () => {
  await query('create table payment (id int)');
  await query('insert into payment values (7)');
  process.kill(running.pid, 'SIGKILL');
  expect(await running.exited).toBe('was ended by SIGKILL');
  running = await start();
  expect(await query('select id from payment')).toEqual([{ id: 7 }]);
});

test('processes of this machine reach it over a Unix socket, with the same password', async () => {
  const connect = async (address: URL) => {
    const client = new Client({ connectionString: address.href });
    await client.connect();
    const { rows } = await client.query('select inet_client_addr() as address');
    await client.end();
    return rows;
  };
  const login = ({ username, password }: URL) => ({ username, password });
  const owner = Object.assign(new URL(running.localUrl), login(new URL(running.url)));
  expect(await connect(owner)).toEqual([{ address: null }]);
  await expect(connect(Object.assign(new URL(owner), { password: 'wrong' }))).rejects.toThrow(
    'password authentication failed',
  );
});

test('a data folder with a path too long for a socket is reached over the loopback address', async () => {
  const longDir = join(dataDir, 'x'.repeat(90));
  await mkdir(longDir);
  const other = await startPostgres({ dataDir: longDir, log: () => {} });
  expect(other.localUrl).toBe(other.applicationUrl);
  await other.stop();
});

test('text is stored as UTF-8 and compared the same way on every machine', async () => {
  const rows = await query(
    `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale from pg_database where datname = 'postgres'`,
  );
  expect(rows).toEqual([{ encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8' }]);
});

test('a commit waits for the disk', async () => {
  expect(await query(`select name, setting from pg_settings where name in ('fsync', 'synchronous_commit')`)).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'synchronous_commit', setting: 'on' },
  ]);
});
