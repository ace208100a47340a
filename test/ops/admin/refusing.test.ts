import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { readAdminConfig } from '../../../ops/admin/config.ts';
import { creditCommand } from '../../../ops/admin/workspaces.ts';
import { makeAccount } from '../../support/account.ts';
import { makeDatabase, ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { runAdmin } from './runAdmin.ts';

const database = await makeDatabase();
afterAll(() => database.drop());

test('a database that may only be read is named with what to do, and without its password', async () => {
  const { host, pathname } = new URL(database.url);
  const owner = new Client({ connectionString: ownerUrlOf(database.url) });
  await owner.connect();
  await owner.query(`alter database ${pathname.slice(1)} set default_transaction_read_only = on`);
  await owner.end();
  const line = ['workspaces', 'create', '--name', 'New'];
  const { exitCode, stdout, stderr } = await runAdmin(line, { DATABASE_URL: database.url });
  const reason = 'cannot execute INSERT in a read-only transaction';
  const advice = 'see that it runs and may be written, then repeat the command';
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `The database at ${host} refused (${reason}): ${advice}.\n`,
  });
});

test('a credit whose database goes away names its id, and repeated with it is given once', async () => {
  const db = await setTestDatabase();
  const { workspaceId: workspace } = await makeAccount(db, { creditUsd: '1' });
  const transfer: typeof db.ledger.transfer = async (order) => {
    await db.ledger.transfer(order);
    throw Object.assign(new Error('terminating connection'), { code: '57P01' });
  };
  const order = { usd: 2_000_000_000n, reason: 'a gift', workspace };
  const config = readAdminConfig({ DATABASE_URL: db.url });
  const broken = creditCommand.run({ db: { ...db, ledger: { ...db.ledger, transfer } }, config }, order, []);
  const told = await broken.then(
    () => '',
    ({ message }: Error) => message,
  );
  const id = /repeat the same command with --id (adj_\w+), which adjusts once/.exec(told)![1]!;
  const line = ['credit', '--workspace', workspace, '--usd', '2', '--reason', 'a gift', '--id', id];
  const { stdout } = await runAdmin(line, { DATABASE_URL: db.url });
  expect(stdout).toBe(
    `Nothing was changed, an earlier try had adjusted ${workspace} by 2 USD; the balance is 3 USD.\n`,
  );
  await db.close();
});
