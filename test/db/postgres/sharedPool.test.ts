import { afterAll, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import type { Rows } from '../../../db/postgres/rows.ts';
import { insertProject } from '../../../db/projects/projects.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase({ spends: false });
afterAll(() => db.close());

/** More than the pool has connections. */
const MANY = 15;

const addProject = (rows: Rows) =>
  insertProject(rows, {
    id: newId('proj'),
    by: { keyId: null, requestId: 'req_test' },
    name: 'One',
    spendLimitNanos: null,
    spendLimitPeriod: null,
  });

type Begin = (workspaceId: string, work: () => Promise<void>) => Promise<void>;

test.each<[string, Begin]>([
  ['of its own rows', (workspaceId, work) => db.write(workspaceId).transaction(work)],
  ['of all rows that name it', (workspaceId, work) => db.everywhere.transaction(work, workspaceId)],
])('a workspace whose transactions %s wait leaves connections to others', async (_rows, begin) => {
  const [ours, theirs] = [await makeAccount(db), await makeAccount(db)];
  // In place of a lock that another process holds.
  const { promise: lock, resolve: unlock } = Promise.withResolvers<void>();
  let begun = 0;
  const waiting = Array.from({ length: MANY }, () =>
    begin(ours.workspaceId, () => {
      begun += 1;
      return lock;
    }),
  );
  expect(await addProject(db.write(theirs.workspaceId))).toMatchObject({ name: 'One' });
  expect(begun).toBeLessThan(db.pool.options.max / 2);
  unlock();
  await Promise.all(waiting);
  expect(begun).toBe(MANY);
});

test('a transaction within one of its workspace that does not join it waits for no place', async () => {
  const { workspaceId } = await makeAccount(db);
  const rows = db.write(workspaceId);
  const within = () => rows.transaction((tx) => tx.transaction(() => addProject(rows)));
  // As many as an owner has places: each has one, and would wait for another one's.
  expect(await Promise.all([within(), within(), within()])).toHaveLength(3);
});
