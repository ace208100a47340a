import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { readKeyIds } from '../../../base/keyRings.ts';
import { createPayloadCodec } from '../../../base/payloadCodec.ts';
import { openDatabase, type Database } from '../../../db/database.ts';
import { startChild } from '../../../ops/stack/process/child.ts';
import { makeDatabase, openTestDatabase, ownerUrlOf, withClient } from '../../support/database.ts';
import { keyOwnerOf } from '../../../db/liveCatalog/composeCatalog.ts';
import { createSealingKey, parseCatalogKeys } from '../../../db/sealing/sealingKeys.ts';
import { makeAccount } from '../../support/account.ts';
import { startTestTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import {
  both,
  expectedRows,
  makeKeys,
  makeRows,
  openRows,
  openSecondFactor,
  type Keys,
  type Rows,
} from './rotatedRows.ts';
import { runAdmin } from './runAdmin.ts';

// More than one portion.
const CONTENTS = 120;
const RINGS = ['PLUGIN_SECRETS_KEY', 'CATALOG_SECRETS_KEY', 'CONTENTS_KEY', 'TEMPORAL_PAYLOAD_KEY'] as const;
let database: Awaited<ReturnType<typeof makeDatabase>>;
let db: Database;
let rows: Rows;
let before: Keys;
let after: Keys;

beforeEach(async () => {
  database = await makeDatabase();
  db = await openTestDatabase({ url: database.url, spends: false });
  [before, after] = [makeKeys(), makeKeys()];
  rows = await makeRows(db, before, { contents: CONTENTS });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const rotate = (keys: object, ...options: string[]) =>
  runAdmin(['keys', 'rotate', ...options], { DATABASE_URL: database.url, DATA_DIR: '/nonexistent', ...keys });

const asOwner = (text: string) => withClient(ownerUrlOf(database.url), (client) => client.query(text));

/** Two minutes and all tokens later. */
async function letTimePass(): Promise<void> {
  await asOwner(`update secret_versions set signs_at = now() - interval '25 hours'`);
}

test('secrets of every kind move to the new keys, which then open everything alone', async () => {
  const moved = await rotate(both(after, before));
  expect(moved).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await openRows(db, after, rows)).toEqual(expectedRows(CONTENTS));
  // A new version of the sign-in's secret signs only when every process has read it.
  const early = await rotate(both(after, before), '--finish');
  expect(early).toMatchObject({ exitCode: 1 });
  expect(early.stdout).toMatch(/sign-in 0: version 1 signs in \d+ s/);
  expect(early.stdout).toMatch(/sign-in 0: it encrypted 2 secrets of second factors/);
  expect(early.stdout).toMatch(/cursors 0: lists that began before may go on for 25 hours/);
  await letTimePass();
  expect((await rotate(both(after, before), '--finish')).stdout).toContain('second factors');
  await rotate(both(after, before));
  expect(await openSecondFactor(db)).toBe('totp');
  const finished = await rotate(both(after, before), '--finish');
  expect(finished).toMatchObject({ exitCode: 0 });
  const [old] = readKeyIds({ ...before }, ['CONTENTS_KEY']).CONTENTS_KEY!;
  expect(finished.stdout).toContain(`Remove from CONTENTS_KEY what follows its first key (${old}).`);
  expect((await db.pool.query('select name from secrets')).rows).toEqual([]);
  expect(await openSecondFactor(db)).toBe('totp');
  // Nothing is left, and nothing goes on.
  expect((await rotate(after, '--status')).stdout).not.toContain('still needed');
  expect(await rotate(after, '--finish')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('No rotation'),
  });
});

test('finishing is refused by name for each kind of row that needs an old key', async () => {
  await asOwner(`insert into key_rotations (id) values ('rot_1')`);
  const refused = await rotate(both(after, before), '--finish');
  expect(refused.exitCode).toBe(1);
  const ids = readKeyIds({ ...before }, RINGS);
  for (const line of [
    `PLUGIN_SECRETS_KEY ${ids.PLUGIN_SECRETS_KEY![0]}: it sealed 1 signing key of bills`,
    `PLUGIN_SECRETS_KEY ${ids.PLUGIN_SECRETS_KEY![0]}: it sealed 2 credentials of plugins`,
    `PLUGIN_SECRETS_KEY ${ids.PLUGIN_SECRETS_KEY![0]}: it sealed 1 secrets of webhooks`,
    `PLUGIN_SECRETS_KEY ${ids.PLUGIN_SECRETS_KEY![0]}: it sealed 1 secrets of workspaces for plugins`,
    `PLUGIN_SECRETS_KEY ${ids.PLUGIN_SECRETS_KEY![0]}: it sealed 1 sign-ins to plugins`,
    `PLUGIN_SECRETS_KEY ${ids.PLUGIN_SECRETS_KEY![0]}: it sealed 1 secrets of HTTP tools`,
    `PLUGIN_SECRETS_KEY ${ids.PLUGIN_SECRETS_KEY![0]}: it sealed 1 addresses of audit exports`,
    `CATALOG_SECRETS_KEY ${ids.CATALOG_SECRETS_KEY![0]}: it sealed 1 secrets of identity providers`,
    `CATALOG_SECRETS_KEY ${ids.CATALOG_SECRETS_KEY![0]}: it sealed 1 keys of upstreams`,
    `CONTENTS_KEY ${ids.CONTENTS_KEY![0]}: it sealed ${CONTENTS} contents of calls`,
  ])
    expect(refused.stdout).toContain(line);
  // The same without the old keys in the command's variables.
  expect((await rotate(after, '--finish')).stdout).toContain(`it sealed ${CONTENTS} contents of calls`);
});

test('a command that is killed in the middle is repeated, and moves the rest', async () => {
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, DATA_DIR: '/nonexistent', ...both(after, before) };
  const child = await withClient(ownerUrlOf(database.url), async (owner) => {
    // It waits for this row, in the second portion.
    await owner.query(`begin; select from request_contents where request_id = 'req_00110' for update`);
    const args = ['ops/admin/main.ts', 'keys', 'rotate'];
    const none = () => {};
    const started = await startChild({
      command: process.execPath,
      args,
      env,
      onStdout: none,
      onStderr: none,
      stopSignal: 'SIGTERM',
    });
    const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query like 'update request_contents%'`;
    await until(async () => (await asOwner(waits)).rowCount === 1, { timeoutMs: 60_000, pollMs: 20 });
    process.kill(started.pid, 'SIGKILL');
    await started.exited;
    return started;
  });
  await child.stop(1_000);
  // Some rows are sealed with each key. Until `--finish` both keys open them.
  const [old] = readKeyIds({ ...before }, ['CONTENTS_KEY']).CONTENTS_KEY!;
  const refused = await rotate(both(after, before), '--finish');
  // The database may have carried out the statement that waited.
  expect(refused.stdout).toMatch(new RegExp(`CONTENTS_KEY ${old}: it sealed (10|9) contents of calls`));
  expect(refused.stdout).toContain('it was not run to its end');
  expect(await openRows(db, both(after, before), rows)).toEqual(expectedRows(CONTENTS));
  expect(await openRows(db, both(before, after), rows)).toEqual(expectedRows(CONTENTS));
  expect((await rotate(both(after, before))).exitCode).toBe(0);
  expect(await openRows(db, after, rows)).toEqual(expectedRows(CONTENTS));
  // Repeated, it makes no second version and no second signing key.
  const { rows: made } = await db.pool.query(
    `select (select count(*)::int from secret_versions) as versions, (select count(*)::int from bill_keys) as "billKeys"`,
  );
  expect(made).toEqual([{ versions: 2, billKeys: 2 }]);
});

test('nothing moves while a live process could not read it, and the process is named', async () => {
  const open = (keys: Keys) =>
    openDatabase({ url: database.url, spends: true, keyIds: readKeyIds({ ...keys }, RINGS), onError: () => {} });
  const [current] = readKeyIds({ ...after }, ['CONTENTS_KEY']).CONTENTS_KEY!;
  const outdated = await open(before);
  const refused = await rotate(both(after, before));
  expect(refused.exitCode).toBe(1);
  expect(refused.stdout).toMatch(
    new RegExp(`CONTENTS_KEY: the worker proc_\\w+ lacks the key ${current}: add it behind a comma`),
  );
  await outdated.close();
  // It could read the new key, but would go on to seal with the old one.
  const half = await open(both(before, after));
  expect((await rotate(both(after, before))).stdout).toContain(`put ${current} first there, and restart it`);
  await half.close();
  expect(await openRows(db, before, rows)).toEqual(expectedRows(CONTENTS));
  const ready = await open(both(after, before));
  expect((await rotate(both(after, before))).exitCode).toBe(0);
  // A command without some of the variables would leave their rows behind.
  const { CONTENTS_KEY: _contents, ...some } = both(after, before);
  expect((await rotate(some)).stdout).toMatch(/CONTENTS_KEY: the worker proc_\w+ has it and this command has not/);
  await ready.close();
});

test('a secret under a lost key stays, is named with its workspace, and stops nothing else', async () => {
  const lost = makeKeys();
  const { workspaceId } = await makeAccount(db);
  const secret = parseCatalogKeys(lost.CATALOG_SECRETS_KEY).seal('lost', 'identity provider idp_lost');
  await db.pool.query(
    `insert into identity_providers (id, workspace_id, kind, name, issuer, configuration, sealed_secret)
     values ('idp_lost', $1, 'oidc', 'Company', 'https://id.example', '{}', $2)`,
    [workspaceId, secret],
  );
  const upstreamKey = parseCatalogKeys(lost.CATALOG_SECRETS_KEY).seal('sk-lost', keyOwnerOf('abandoned'));
  await db.pool.query(
    `insert into catalog_changes (kind, name, change, sealed_key, key_last4, changed_by, changer)
     values ('upstream', 'abandoned', '{}', $1, 'lost', 'user', 'user_1')`,
    [upstreamKey],
  );
  const moved = await rotate(both(after, before));
  expect(moved.exitCode).toBe(0);
  expect(moved.stdout).toContain(`the identity provider of the workspace ${workspaceId}: it was sealed with the key`);
  expect(moved.stdout).toContain('the upstream abandoned: it was sealed with the key');
  await db.pool.query(`delete from identity_providers where id = 'idp_lost'`);
  await asOwner(`delete from catalog_changes where name = 'abandoned'`);
  expect(await openRows(db, after, rows)).toEqual(expectedRows(CONTENTS));
});

test('a key of Temporal is needed until the workflows from before have gone, and schedules move', async () => {
  const temporal = await startTestTemporal();
  const [old, current] = [createSealingKey(), createSealingKey()];
  const withKey = (TEMPORAL_PAYLOAD_KEY: string) => ({
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_PAYLOAD_KEY,
    ...after,
  });
  const connection = await Connection.connect({ address: temporal.address });
  const clientOf = (keys: string) =>
    new Client({ connection, dataConverter: { payloadCodecs: [createPayloadCodec(keys)] } });
  const { workflow, schedule } = clientOf(old);
  const action = { type: 'startWorkflow', workflowType: 'kept', taskQueue: 'none', args: ['secret'] } as const;
  await schedule.create({ scheduleId: 'kept', spec: { intervals: [{ every: '30d' }] }, action });
  const running = await workflow.start('kept', { workflowId: 'kept', taskQueue: 'none', args: ['secret'] });
  await until(async () => (await workflow.count()).count === 1);
  await rotate(both(after, before));
  await rotate(withKey(`${current},${old}`));
  const described = await clientOf(current).schedule.getHandle('kept').describe();
  expect(described.action).toMatchObject({ args: ['secret'] });
  await letTimePass();
  await rotate(withKey(`${current},${old}`));
  const refused = await rotate(withKey(`${current},${old}`), '--finish');
  expect(refused.stdout).toMatch(/TEMPORAL_PAYLOAD_KEY \w{8}: Temporal keeps 1 workflows from before \d{4}-/);
  // As the server forgets an ended one after its retention.
  await running.terminate();
  const workflowExecution = { workflowId: 'kept' };
  await connection.workflowService.deleteWorkflowExecution({ namespace: 'default', workflowExecution });
  await until(async () => (await workflow.count()).count === 0);
  const finished = await rotate(withKey(`${current},${old}`), '--finish');
  expect(finished.stdout).toContain('Remove from TEMPORAL_PAYLOAD_KEY');
  await connection.close();
  await temporal.stop();
});
