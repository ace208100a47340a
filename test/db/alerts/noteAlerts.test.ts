import { afterAll, expect, test } from '@jest/globals';
import { insertAlert, listAlerts, updateAlert, type AlertChoice } from '../../../db/alerts/alerts.ts';
import { noteAlerts } from '../../../db/alerts/noteAlerts.ts';
import { newId } from '../../../db/ids.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { billOf, openHoldsOf } from '../../support/ledger.ts';

const USD = 1_000_000_000n;
const NOTHING = { postedNanos: 0n, heldNanos: 0n };
const by = { keyId: 'key_test', requestId: 'req_test' };
const db = await setTestDatabase();
afterAll(() => db.close());

type Account = Awaited<ReturnType<typeof makeAccount>>;

const NONE = {
  keyId: null,
  projectId: null,
  amountNanos: null,
  period: null,
  percentages: [],
  days: null,
  mail: true,
  recipients: null,
};
const budget = (more: Partial<AlertChoice> = {}): AlertChoice => ({
  ...NONE,
  kind: 'spend',
  amountNanos: 10n * USD,
  period: 'daily',
  percentages: [50, 100],
  ...more,
});

async function setAlert({ workspaceId }: Pick<Account, 'workspaceId'>, chosen: AlertChoice): Promise<string> {
  const id = newId('alert');
  expect(await insertAlert(db.write(workspaceId), NOTHING, { id, by, ...chosen })).toMatchObject({ id });
  return id;
}

/** What was told, after a check of all alerts. */
async function toldOf(workspaceId: string): Promise<string[]> {
  await noteAlerts(db.everywhere);
  const { rows } = await db.pool.query<{ text: string }>(
    `select coalesce(data ->> 'percent', 'runway ' || (data ->> 'runway_days')) as text from platform_events
     where workspace_id = $1 and type like 'alert.%' order by created_at, id`,
    [workspaceId],
  );
  return rows.map(({ text }) => text);
}

/** Sets the key's spending on a day, counted back from today. */
const spend = ({ keyId, workspaceId }: Pick<Account, 'keyId' | 'workspaceId'>, nanos: bigint, daysAgo = 0) =>
  db.pool.query(
    `insert into key_days (key_id, day, workspace_id, spent_nanos) values ($1, (now() at time zone 'utc')::date - $4::int, $2, $3)
     on conflict (key_id, day) do update set spent_nanos = excluded.spent_nanos`,
    [keyId, workspaceId, nanos, daysAgo],
  );

test('each part of a budget is told of once in a period, with what was spent', async () => {
  const account = await makeAccount(db);
  const id = await setAlert(account, budget());
  await spend(account, 90n * USD, 1);
  await spend(account, 5n * USD - 1n);
  expect(await toldOf(account.workspaceId)).toEqual([]);
  await spend(account, 5n * USD);
  for (let look = 0; look < 2; look += 1) expect(await toldOf(account.workspaceId)).toEqual(['50']);
  await spend(account, 11n * USD);
  for (let look = 0; look < 2; look += 1) expect(await toldOf(account.workspaceId)).toEqual(['50', '100']);
  await db.pool.query('update alerts set told_period = told_period - 1 where id = $1', [id]);
  expect(await toldOf(account.workspaceId)).toEqual(['50', '100', '100']);
  const balance = await db.ledger.balanceOf(account.workspaceId);
  const [alert] = await listAlerts(db.read(account.workspaceId), balance);
  expect(alert).toMatchObject({ id, spentNanos: 11n * USD, level: 100, runwayDays: null });
});

test('what is spent late is told of the period that it counts for', async () => {
  const account = await makeAccount(db);
  const id = await setAlert(account, budget());
  const other = await setAlert(account, budget({ amountNanos: 1_000n * USD }));
  await spend(account, 6n * USD, 1);
  // Neither existed yesterday.
  expect(await toldOf(account.workspaceId)).toEqual([]);
  const [sinceYesterday, toldYesterday] = [
    `update alerts set created_at = created_at - interval '1 day' where id = any($1)`,
    `update alerts set told_level = 50, told_period = (now() at time zone 'utc')::date - 1 where id = $1`,
  ];
  await db.pool.query(sinceYesterday, [[id, other]]);
  await db.pool.query(toldYesterday, [id]);
  expect(await toldOf(account.workspaceId)).toEqual([]);
  await spend(account, 10n * USD, 1);
  for (let look = 0; look < 2; look += 1) expect(await toldOf(account.workspaceId)).toEqual(['100']);
  await spend(account, 5n * USD);
  expect(await toldOf(account.workspaceId)).toEqual(['100', '50']);
  await spend(account, 2_000n * USD, 1);
  expect(await toldOf(account.workspaceId)).toEqual(['100', '50', '100']);
});

test('a budget that is lowered tells nothing of the day before', async () => {
  const account = await makeAccount(db);
  const id = await setAlert(account, budget());
  await db.pool.query(`update alerts set created_at = created_at - interval '2 days' where id = $1`, [id]);
  await spend(account, 4n * USD, 1);
  expect(await toldOf(account.workspaceId)).toEqual([]);
  await updateAlert(db.write(account.workspaceId), NOTHING, { id, change: { amountNanos: USD }, by });
  expect(await toldOf(account.workspaceId)).toEqual([]);
  await spend(account, USD);
  expect(await toldOf(account.workspaceId)).toEqual(['100']);
});

test('a budget that is raised may be reached again', async () => {
  const account = await makeAccount(db);
  const id = await setAlert(account, budget({ percentages: [80] }));
  await spend(account, 9n * USD);
  expect(await toldOf(account.workspaceId)).toEqual(['80']);
  await updateAlert(db.write(account.workspaceId), NOTHING, { id, change: { amountNanos: 20n * USD }, by });
  expect(await toldOf(account.workspaceId)).toEqual(['80']);
  await spend(account, 16n * USD);
  expect(await toldOf(account.workspaceId)).toEqual(['80', '80']);
});

test('a budget of a key counts that key alone; one of the workspace all of its keys, and none of others', async () => {
  const account = await makeAccount(db);
  const { id: second } = await createKey(db.everywhere, {
    workspaceId: account.workspaceId,
    name: 'two',
    scopes: ['llm'],
  });
  await setAlert(account, budget({ keyId: second, percentages: [100] }));
  await setAlert(account, budget({ percentages: [150] }));
  const other = await makeAccount(db);
  await spend(other, 90n * USD);
  await spend(account, 14n * USD);
  expect(await toldOf(account.workspaceId)).toEqual([]);
  await spend({ ...account, keyId: second }, USD);
  expect(await toldOf(account.workspaceId)).toEqual(['150']);
  await spend({ ...account, keyId: second }, 10n * USD);
  expect(await toldOf(account.workspaceId)).toEqual(['150', '100']);
  expect(await toldOf(other.workspaceId)).toEqual([]);
});

test('a short runway is told of once, and again after the balance was filled', async () => {
  const account = await makeAccount(db, { creditUsd: '20' });
  await setAlert(account, { ...NONE, kind: 'runway', days: 5 });
  expect(await toldOf(account.workspaceId)).toEqual([]);
  for (let day = 1; day <= 7; day += 1) await spend(account, 10n * USD, day);
  await spend(account, 10n * USD);
  const [runway] = await toldOf(account.workspaceId);
  // 80 USD in seven days and a part of today: 20 USD last 1.75 to 2 days.
  expect(runway).toMatch(/^runway (1\.[789]|2)$/);
  expect(await toldOf(account.workspaceId)).toEqual([runway]);
  await db.pool.query('update accounts set posted_nanos = posted_nanos * 10 where workspace_id = $1', [
    account.workspaceId,
  ]);
  expect(await toldOf(account.workspaceId)).toEqual([runway]);
  await db.pool.query('update accounts set posted_nanos = posted_nanos / 10 where workspace_id = $1', [
    account.workspaceId,
  ]);
  expect(await toldOf(account.workspaceId)).toEqual([runway, runway]);
});

test('a balance of which a process keeps a part ready for calls counts in full', async () => {
  const account = await makeAccount(db, { creditUsd: '20' });
  await setAlert(account, { ...NONE, kind: 'runway', days: 1 });
  // The call has ended: the rest of its slice is free for the next one.
  await db.ledger.settle(await db.ledger.hold(account, USD), billOf(account, USD));
  expect((await openHoldsOf(db, account.accountId)).nanos).toBeGreaterThan(USD);
  for (let day = 0; day <= 7; day += 1) await spend(account, 20n * USD, day);
  await toldOf(account.workspaceId);
  const { rows } = await db.pool.query(
    `select data ->> 'balance_usd' as usd, (data ->> 'runway_days')::float as days from platform_events where workspace_id = $1 and type = 'alert.runway_short'`,
    [account.workspaceId],
  );
  expect(rows).toEqual([{ usd: '19', days: expect.any(Number) }]);
  const balance = await db.ledger.balanceOf(account.workspaceId);
  const [alert] = await listAlerts(db.read(account.workspaceId), balance);
  expect(alert!.runwayDays).toBeCloseTo(rows[0].days, 0);
});

test('concurrent checks tell of it once', async () => {
  const account = await makeAccount(db);
  await setAlert(account, budget({ percentages: [1] }));
  await spend(account, USD);
  await Promise.all(Array.from({ length: 4 }, () => noteAlerts(db.everywhere)));
  expect(await toldOf(account.workspaceId)).toEqual(['1']);
});

test('the mail goes to the chosen members; once none of them is left, to owners and finance people', async () => {
  const account = await makeAccount(db);
  const people = await Promise.all((['owner', 'developer', 'developer'] as const).map((role) => joinAs(account, role)));
  const [owner, dana, jonas] = people as [Joined, Joined, Joined];
  await setAlert(account, budget({ percentages: [1], recipients: [dana.userId] }));
  const chosen = { recipients: ['nobody'] };
  const id = newId('alert');
  expect(await insertAlert(db.write(account.workspaceId), NOTHING, { id, by, ...budget(chosen) })).toBe('no_member');
  await spend(account, USD);
  const mailed = async () => {
    await noteAlerts(db.everywhere);
    const { rows } = await db.pool.query<{ recipient: string }>(
      `select m.recipient from event_mails m join platform_events e on e.id = m.event_id
       where e.workspace_id = $1 and e.type = 'alert.spend_reached' order by e.created_at, e.id`,
      [account.workspaceId],
    );
    return rows.map(({ recipient }) => recipient);
  };
  expect(await mailed()).toEqual([dana.email]);
  await db.pool.query('delete from members where user_id = any ($1)', [[dana.userId, jonas.userId]]);
  await db.pool.query('update alerts set told_level = 0 where workspace_id = $1', [account.workspaceId]);
  expect(await mailed()).toEqual([dana.email, owner.email]);
});

type Joined = Awaited<ReturnType<typeof joinAs>>;

async function joinAs({ workspaceId }: Pick<Account, 'workspaceId'>, role: 'owner' | 'developer') {
  const person = { userId: newId('user'), email: `${newId('mail')}@northwind.example` };
  await db.everywhere.transaction(async ({ em, User, Member }) => {
    await em.insert(User, { id: person.userId, name: role, email: person.email, emailVerified: true });
    await em.insert(Member, { id: newId('mem'), workspaceId, userId: person.userId, role });
  });
  return person;
}
