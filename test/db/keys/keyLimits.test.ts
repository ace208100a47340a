import { afterAll, expect, test } from '@jest/globals';
import { noteKeyLimits } from '../../../db/keys/keyLimits.ts';
import { createKey, revokeKey } from '../../../db/keys/keyStore.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';

const USD = 1_000_000_000n;
const db = await setTestDatabase();
afterAll(() => db.close());

/** The events of a workspace's keys, without creations, after a check of all limits. */
async function eventsOf(workspaceId: string): Promise<string[]> {
  await noteKeyLimits(db.everywhere);
  const sql = `select type || coalesce(' ' || (data ->> 'spent_usd'), '') as text from platform_events
    where workspace_id = $1 and type like 'key.%' order by created_at, id`;
  const { rows } = await db.pool.query<{ text: string }>(sql, [workspaceId]);
  return rows.map(({ text }) => text).filter((text) => text !== 'key.created');
}

/** Sets the key's spending on a day, counted back from today. */
const spend = ({ keyId, workspaceId }: { keyId: string; workspaceId: string }, nanos: bigint, daysAgo = 0) =>
  db.pool.query(
    `insert into key_days (key_id, day, workspace_id, spent_nanos) values ($1, (now() at time zone 'utc')::date - $4::int, $2, $3)
     on conflict (key_id, day) do update set spent_nanos = excluded.spent_nanos`,
    [keyId, workspaceId, nanos, daysAgo],
  );

test('a key at 80 % of its limit, and at the limit, is recorded once each in a period', async () => {
  const account = await makeAccount(db, { spendLimitNanos: 10n * USD, spendLimitPeriod: 'daily' });
  await spend(account, 50n * USD, 1);
  await spend(account, 8n * USD - 1n);
  expect(await eventsOf(account.workspaceId)).toEqual([]);
  await spend(account, 8n * USD);
  for (let look = 0; look < 2; look += 1)
    expect(await eventsOf(account.workspaceId)).toEqual(['key.spend_threshold 8']);
  // The rest does not cover a call.
  await spend(account, 10n * USD - 100_000n);
  const both = ['key.spend_threshold 8', 'key.limit_reached 9.9999'];
  for (let look = 0; look < 2; look += 1) expect(await eventsOf(account.workspaceId)).toEqual(both);
  await db.pool.query(`update key_notices set period_start = period_start - 1 where key_id = $1`, [account.keyId]);
  expect(await eventsOf(account.workspaceId)).toEqual([...both, 'key.limit_reached 9.9999']);
});

test('what is spent late is recorded once, of the period that it counts for, unless the limit has changed', async () => {
  const limited = { spendLimitNanos: 10n * USD, spendLimitPeriod: 'daily' as const };
  const [account, changed, before] = [
    await makeAccount(db, limited),
    await makeAccount(db, limited),
    await makeAccount(db, limited),
  ];
  const keyIds = [account, changed, before].map(({ keyId }) => keyId);
  await db.pool.query(`update api_keys set created_at = created_at - interval '1 day' where id = any($1)`, [keyIds]);
  await db.pool.query('update api_keys set limit_changed_at = now() where id = $1', [changed.keyId]);
  for (const key of [account, changed, before]) await spend(key, 8n * USD, 1);
  // Recorded yesterday.
  const told = `insert into key_notices (key_id, period_start, level) values ($1, (now() at time zone 'utc')::date - 1, 1)`;
  await db.pool.query(told, [before.keyId]);
  await Promise.all(Array.from({ length: 4 }, () => noteKeyLimits(db.everywhere)));
  expect(await eventsOf(account.workspaceId)).toEqual(['key.spend_threshold 8']);
  expect(await eventsOf(changed.workspaceId)).toEqual([]);
  expect(await eventsOf(before.workspaceId)).toEqual([]);
  // A run that was ordered yesterday.
  await spend(account, 10n * USD, 1);
  const late = ['key.spend_threshold 8', 'key.limit_reached 10'];
  for (let look = 0; look < 2; look += 1) expect(await eventsOf(account.workspaceId)).toEqual(late);
  await spend(account, 9n * USD);
  for (let look = 0; look < 2; look += 1)
    expect(await eventsOf(account.workspaceId)).toEqual([...late, 'key.spend_threshold 9']);
  const { rows } = await db.pool.query(
    `select (data ->> 'period_start')::date - (now() at time zone 'utc')::date as days, data -> 'period_ended' as ended
     from platform_events where workspace_id = $1 and data ? 'period_ended' order by created_at, id`,
    [account.workspaceId],
  );
  expect(rows).toEqual([
    { days: -1, ended: true },
    { days: -1, ended: true },
    { days: 0, ended: false },
  ]);
});

test('what is spent late in a month is recorded, until a day after its end', async () => {
  const account = await makeAccount(db, { spendLimitNanos: 10n * USD, spendLimitPeriod: 'monthly', isTest: true });
  const endOfMonth = `date_trunc('month', now() at time zone 'utc') + interval '1 month'`;
  const setClock = (sinceEnd: string) =>
    db.pool.query(
      `update workspaces set clock_seconds = ceil(extract(epoch from ${endOfMonth} + interval '${sinceEnd}' - (now() at time zone 'utc'))) where id = $1`,
      [account.workspaceId],
    );
  await spend(account, 8n * USD);
  await setClock('26 hours');
  expect(await eventsOf(account.workspaceId)).toEqual([]);
  await setClock('24 hours');
  expect(await eventsOf(account.workspaceId)).toEqual(['key.spend_threshold 8']);
  await spend(account, 10n * USD);
  expect(await eventsOf(account.workspaceId)).toEqual(['key.spend_threshold 8', 'key.limit_reached 10']);
});

test('a limit without a period counts all days, and a raised one may be reached again', async () => {
  const account = await makeAccount(db, { spendLimitNanos: 10n * USD });
  await spend(account, 9n * USD, 40);
  await spend(account, USD);
  expect(await eventsOf(account.workspaceId)).toEqual(['key.limit_reached 10']);
  await db.pool.query('update api_keys set spend_limit_nanos = $2 where id = $1', [account.keyId, 20n * USD]);
  expect(await eventsOf(account.workspaceId)).toEqual(['key.limit_reached 10']);
  await spend(account, 8n * USD);
  expect(await eventsOf(account.workspaceId)).toEqual(['key.limit_reached 10', 'key.spend_threshold 17']);
});

test('each of many keys is looked at', async () => {
  const account = await makeAccount(db, { spendLimitNanos: USD });
  await spend(account, USD);
  const others = `insert into api_keys select (jsonb_populate_record(k, jsonb_build_object('id', k.id || n, 'hash', sha256((k.id || n)::bytea)))).*
    from api_keys k, generate_series(1000, 1500) n where k.id = $1 returning id`;
  const { rows } = await db.pool.query<{ id: string }>(others, [account.keyId]);
  for (const { id: keyId } of rows) await spend({ ...account, keyId }, USD);
  expect(await eventsOf(account.workspaceId)).toEqual(Array.from({ length: 502 }, () => 'key.limit_reached 1'));
});

test('concurrent checks record it once', async () => {
  const account = await makeAccount(db, { spendLimitNanos: USD, spendLimitPeriod: 'monthly' });
  await spend(account, USD);
  await Promise.all(Array.from({ length: 4 }, () => noteKeyLimits(db.everywhere)));
  expect(await eventsOf(account.workspaceId)).toEqual(['key.limit_reached 1']);
});

test('a key that is made or revoked is recorded once, without its secret, and a member’s own key is not', async () => {
  const { workspaceId, keyId } = await makeAccount(db);
  await createKey(db.everywhere, { workspaceId, name: 'member', scopes: [], memberUserId: 'user_1' });
  await revokeKey(db, keyId);
  await revokeKey(db, keyId);
  const { rows } = await db.pool.query('select type, data from platform_events where workspace_id = $1 order by id', [
    workspaceId,
  ]);
  const data = { id: keyId, name: 'test', prefix: expect.stringMatching(/^sk_live_.{4}$/) };
  expect(rows).toEqual([
    { type: 'key.created', data },
    { type: 'key.revoked', data },
  ]);
});
