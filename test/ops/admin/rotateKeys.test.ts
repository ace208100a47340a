import { expect, test } from '@jest/globals';
import { readKeyIds } from '../../../base/keyRings.ts';
import { openDatabase } from '../../../db/database.ts';
import { keyOwnerOf } from '../../../db/liveCatalog/composeCatalog.ts';
import { parseCatalogKeys } from '../../../db/sealing/sealingKeys.ts';
import { makeAccount } from '../../support/account.ts';
import { both, expectedRows, makeKeys, openRows, openSecondFactor, type Keys } from './rotatedRows.ts';
import { CONTENTS, RINGS, setRotateStage } from './rotateStage.ts';

const { stage, rotate, asOwner, letTimePass } = setRotateStage();

test('secrets of every kind move to the new keys, which then open everything alone', async () => {
  const { db, rows, before, after } = stage;
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
  const { before, after } = stage;
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

test('a rotation that was begun before the new keys were there moves everything to them later', async () => {
  const { db, rows, before, after } = stage;
  expect(await rotate(before)).toMatchObject({ exitCode: 0, stderr: '' });
  await letTimePass();
  await rotate(both(after, before));
  expect(await openRows(db, after, rows)).toEqual(expectedRows(CONTENTS));
  expect(await rotate(both(after, before), '--finish')).toMatchObject({ exitCode: 0 });
});

test('nothing moves while a live process could not read it, and the process is named', async () => {
  const { databaseUrl, db, rows, before, after } = stage;
  const open = (keys: Keys) =>
    openDatabase({ url: databaseUrl, spends: true, keyIds: readKeyIds({ ...keys }, RINGS), onError: () => {} });
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
  const { db, rows, before, after } = stage;
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
