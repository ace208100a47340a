import { afterAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres, type RunningPostgres } from '../../../ops/stack/postgres.ts';
import { startLeadingProxy } from '../../support/network.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { expectSound, startLoad, untilRefused } from './databaseLoad.ts';
import { setMoneyStage } from '../stages/moneyStage.ts';

const sharedServer = process.env.TEST_DATABASE_URL;

// Two servers behind one address, as behind a virtual address or a pooler. The standby's disk has each of the primary's commits first.
const folder = await mkdtemp(join(tmpdir(), 'ledgerline-failover-'));
await chmod(folder, 0o755);
const [first, second] = [join(folder, 'primary'), join(folder, 'standby')];
await (await startPostgres({ dataDir: first, log: () => {} })).stop();
// With their owner, whose files they must be.
execFileSync('cp', ['-a', first, second]);
await rm(join(second, 'port'));
const signal = join(second, 'cluster/standby.signal');
await writeFile(signal, '');
await chmod(signal, 0o666);
const primary = await startPostgres({ dataDir: first, settings: { synchronous_standby_names: '*' }, log: () => {} });
const standby = await startPostgres({
  dataDir: second,
  settings: { primary_conninfo: conninfoOf(primary) },
  log: () => {},
});
const address = await startLeadingProxy(primary.port);
process.env.TEST_DATABASE_URL = primary.url.replace(`:${primary.port}/`, `:${address.port}/`);
const stage = await setMoneyStage({ start: startApiProcess });
afterAll(async () => {
  await stage.close();
  process.env.TEST_DATABASE_URL = sharedServer;
  await address.stop();
  await standby.stop();
  await rm(folder, { recursive: true, force: true });
});

function conninfoOf({ url, port }: RunningPostgres): string {
  const { username, password } = new URL(url);
  return `host=127.0.0.1 port=${port} user=${username} password=${password}`;
}

/** All processes of a server at once, like a machine that loses its power. */
async function killServer({ url, pid, exited }: RunningPostgres): Promise<void> {
  const { rows } = await asOwner<{ pid: number }>(
    url,
    'select pid from pg_stat_activity where pid <> pg_backend_pid()',
  );
  for (const each of [pid, ...rows.map((row) => row.pid)]) process.kill(each, 'SIGKILL');
  await exited;
}

async function asOwner<Row extends object>(url: string, sql: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<Row>(sql);
  } finally {
    await client.end();
  }
}

test('a standby that takes over has every bill, and the same API process serves on', async () => {
  const account = await stage.account({ creditUsd: '100' });
  const load = startLoad(stage, account);
  await until(() => load.served() > 200);
  await killServer(primary);
  const asked = await untilRefused(stage, account);
  await asOwner(standby.url, 'select pg_promote()');
  address.leadTo(standby.port);
  const servedBefore = load.served();
  await until(() => load.served() > servedBefore + 200);
  await load.stop();
  await expectSound(stage, account, [...load.answers, ...(await Promise.all(asked))]);
  expect(stage.running[0]!.lines.filter((line) => line.includes('"msg":"crashed"'))).toEqual([]);
});
