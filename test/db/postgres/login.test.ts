import { afterAll, expect, test } from '@jest/globals';
import { openDatabase } from '../../../db/database.ts';
import { migrate } from '../../../db/postgres/migrations.ts';
import { makeDatabase, openTestDatabase, ownerUrlOf, withClient } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const database = await makeDatabase();
/** A login only for this file, because roles belong to the whole server. */
const login = `login_${process.pid}_${Date.now().toString(36)}`;
const withLogin = (password: string) =>
  Object.assign(new URL(database.url), { username: login, password: encodeURIComponent(password) }).href;
let applicationUrl = withLogin('first');
afterAll(async () => {
  await withClient(ownerUrlOf(database.url), async (owner) => {
    await owner.query(`drop owned by ${login}; drop role ${login}`);
  });
  await database.drop();
});

test("a migration creates the application's login once, and follows a change of its password", async () => {
  expect(await migrate(ownerUrlOf(database.url), applicationUrl)).toEqual(['login of the application']);
  expect(await migrate(ownerUrlOf(database.url), applicationUrl)).toEqual([]);
  applicationUrl = withLogin('second, with ü and %');
  expect(await migrate(ownerUrlOf(database.url), applicationUrl)).toEqual(['login of the application']);
  await withClient(applicationUrl, (client) => client.query('set role ledgerline_system'));
  await expect(withClient(withLogin('first'), (client) => client.query('select 1'))).rejects.toMatchObject({
    code: '28P01',
  });
});

test.each([
  ['read a table', 'select from workspaces'],
  ['take the role of the owner', 'set role ledgerline'],
  ['become the owner', 'set session authorization ledgerline'],
  ['make a table', 'create table public.mine (id int)'],
  ['make a role', 'create role another'],
  ['end the isolation of a table', 'alter table accounts disable row level security'],
  ['lose the trigger of the ledger', 'drop trigger ledger_legs_append_only on ledger_legs'],
  ['replace a rule of money', 'drop function ledger_room'],
  ['read a file of the server', `select pg_read_file('postgresql.conf')`],
])("the application's login, after reset role, cannot %s", async (_, sql) => {
  await withClient(applicationUrl, async (client) => {
    await client.query('set role ledgerline_system; reset role');
    await expect(client.query(sql)).rejects.toMatchObject({ code: expect.stringMatching(/^42(501|704)$/) as unknown });
  });
});

test.each([
  [
    'refuses its login',
    () => withLogin('wrong'),
    /^DATABASE_URL: the database at \S+ cannot be used: password .* npm run migrate$/,
  ],
  [
    'is away',
    () => 'postgres://a:wrong@127.0.0.1:1/a',
    /^DATABASE_URL: the database at 127.0.0.1:1 cannot be used: connect ECONNREFUSED/,
  ],
])('a process whose database %s says at the start which variable it is', async (_, addressOf, message) => {
  const opening = openDatabase({ url: addressOf(), spends: false, onError: () => {} });
  const error = await opening.then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  expect(error?.message).toMatch(message);
  expect(error?.message).not.toContain('wrong');
});

test('a process that logs in as the owner logs a warning, one with its own login does not', async () => {
  const privileged = await openTestDatabase({ url: ownerUrlOf(database.url), spends: false });
  await until(() => privileged.errors.length > 0);
  expect(String(privileged.errors[0])).toMatch(
    /DATABASE_URL logs in with more rights .*superuser.*MIGRATION_DATABASE_URL/,
  );
  await privileged.close();
  const plain = await openTestDatabase({ url: applicationUrl, spends: false });
  await plain.close();
  expect(plain.errors).toEqual([]);
});
