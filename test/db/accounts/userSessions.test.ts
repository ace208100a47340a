import { afterAll, expect, test } from '@jest/globals';
import { pruneSignIns } from '../../../db/accounts/userSessions.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

test('sessions and links that have expired are deleted, and no other', async () => {
  const expiries = { open: "now() + interval '1 minute'", expired: "now() - interval '1 second'" };
  for (const [name, at] of Object.entries(expiries)) {
    await db.pool.query(`insert into user_sessions (id, user_id, token, expires_at) values ($1, 'user_1', $1, ${at})`, [
      name,
    ]);
    await db.pool.query(`insert into verifications (id, identifier, value, expires_at) values ($1, $1, '', ${at})`, [
      name,
    ]);
  }
  expect(await pruneSignIns(db.everywhere)).toBe(2);
  const { rows } = await db.pool.query('select id from user_sessions union all select id from verifications');
  expect(rows).toEqual([{ id: 'open' }, { id: 'open' }]);
  expect(await pruneSignIns(db.everywhere)).toBe(0);
});

test('more than one statement may delete are deleted in portions', async () => {
  await db.pool.query(`insert into user_sessions (id, user_id, token, expires_at)
    select 'old_' || n, 'user_2', 'old_' || n, now() - interval '1 day' from generate_series(1, 5001) n`);
  expect(await pruneSignIns(db.everywhere)).toBe(5_001);
});
