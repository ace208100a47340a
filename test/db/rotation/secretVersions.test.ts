import { afterAll, expect, test } from '@jest/globals';
import { addVersion, readVersions } from '../../../db/rotation/secretVersions.ts';
import { ownerUrlOf, withClient, setTestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const db = await setTestDatabase({ spends: false });
afterAll(() => db.close());

test('of two rotations at once, one adds the version and the other goes on', async () => {
  const [{ version: before } = { version: 0 }] = await readVersions(db.pool, 'cursors');
  const beganAt = new Date(Date.now() + 60_000);
  const second = await withClient(ownerUrlOf(db.url), async (first) => {
    await first.query('begin');
    expect(await addVersion(first, 'cursors', beganAt)).toBe(true);
    const waiting = addVersion(db.pool, 'cursors', beganAt).catch((error: unknown) => error);
    const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
      and query like '%insert into secret_versions%' and pid <> pg_backend_pid()`;
    await until(async () => {
      // Within a transaction the activity stays as it was first seen.
      await first.query('select pg_stat_clear_snapshot()');
      return (await first.query(waits)).rowCount === 1;
    });
    await first.query('commit');
    return waiting;
  });
  expect(second).toBe(false);
  expect((await readVersions(db.pool, 'cursors'))[0]!.version).toBe(before + 1);
});
