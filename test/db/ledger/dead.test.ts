import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const db = await setTestDatabase({ spends: false });
const client = new Client({ connectionString: ownerUrlOf(db.url) });
await client.connect();
const closedPid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number;
await client.end();
await until(async () => (await db.pool.query('select from pg_stat_get_activity($1)', [closedPid])).rowCount === 0);
beforeEach(async () => {
  await db.pool.query('delete from processes where isfinite(lease_until)');
  // Renews steadily for the whole test.
  await insert('steady', { renewed_at: `now() + interval '1 hour'`, steady_since: `now() - interval '1 hour'` });
});
afterAll(() => db.close());

/** A process with a renewed lease; by default killed half a minute ago. */
async function insert(id: string, more: Record<string, string> = {}): Promise<void> {
  const row = {
    id: `'${id}'`,
    lease_until: `now() + interval '1 hour'`,
    backend_pid: `${closedPid}`,
    backend_of: 'pg_postmaster_start_time()',
    renewed_at: `now() - interval '30 seconds'`,
    steady_since: `now() - interval '1 hour'`,
    ...more,
  };
  await db.pool.query(`insert into processes (${Object.keys(row).join()}) values (${Object.values(row).join()})`);
}

/** The processes that a sweep reaps some time after another sweep. */
async function reaped(): Promise<string[]> {
  await db.ledger.reap();
  await db.pool.query(`update processes set gone_at = gone_at - interval '1 minute'`);
  await db.ledger.reap();
  const { rows } = await db.pool.query('select id from processes where reaped_at is not null order by id');
  return rows.map(({ id }) => id as string);
}

test('a process that lives is not dead, and not unknown either', async () => {
  const { rows } = await db.pool.query(`select ledger_dead(p) as dead from processes p order by id`);
  expect(rows).toEqual([{ dead: false }, { dead: false }]);
});

test('a killed process is dead before its lease has ended', async () => {
  await insert('killed');
  expect(await reaped()).toEqual(['killed']);
});

test.each([
  ['renewed its lease a moment ago', { renewed_at: `now() + interval '1 hour'` }],
  [
    'has its connection, as a paused one does',
    { backend_pid: '(select pid from pg_stat_activity where pid = pg_backend_pid())' },
  ],
  ['renewed it before the database started again', { backend_of: `pg_postmaster_start_time() - interval '1 hour'` }],
  ['is of a release that writes no connection', { backend_pid: 'null', backend_of: 'null', renewed_at: 'null' }],
])('a process lives until its lease ends when it %s', async (_, more) => {
  await insert('alive', more);
  expect(await reaped()).toEqual([]);
  await db.pool.query(`update processes set lease_until = now() - interval '1 ms' where id = 'alive'`);
  expect(await reaped()).toEqual(['alive']);
});

test('a process whose connection broke has time to open another', async () => {
  await insert('reconnecting');
  await db.ledger.reap();
  const { rows } = await db.pool.query(`select reaped_at, gone_at from processes where id = 'reconnecting'`);
  expect(rows).toEqual([{ reaped_at: null, gone_at: expect.any(Date) }]);
  await db.pool.query(`select ledger_flush('reconnecting', 60000, '[]', '{}', '{}')`);
  expect(await reaped()).toEqual([]);
});

test('no process is dead before its lease has ended while none renews steadily', async () => {
  await insert('killed');
  await db.pool.query(`update processes set steady_since = now() where id = 'steady'`);
  expect(await reaped()).toEqual([]);
});
