import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { makeDatabase, ownerUrlOf } from '../../support/database.ts';
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
