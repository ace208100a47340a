import { expect, jest, test } from '@jest/globals';
import { RETENTION_DAYS } from '../../../base/limits.ts';
import { pruneEvents } from '../../../db/events/appendEvents.ts';
import { pruneDeliveries } from '../../../db/webhooks/deliveries.ts';
import { openWorkspace } from '../sessions/sessionStage.ts';

const { db, workspaceId } = await openWorkspace();

const ENDPOINT = `insert into webhook_endpoints (id, workspace_id, url, secrets, deleted_at) values ($1, $2, 'https://a.test', '[]', $3)`;
const EVENT = `
insert into platform_events (id, workspace_id, type, resource_type, resource_id, data, created_at)
values ($1, $2, 'balance.low', 'test', 'test', '{}', $3)`;
const ATTEMPT = `
insert into webhook_attempts (id, delivery_id, workspace_id, duration_ms)
select $1 || id, id, workspace_id, 1 from webhook_deliveries where event_id = $2`;

/** The ids of rows in a table. */
const idsIn = async (table: string, column = 'id') =>
  (
    await db.pool.query(`select ${column} as id from ${table} where workspace_id = $1 order by id`, [workspaceId])
  ).rows.map((row) => row.id as string);

test('deliveries, attempts, deleted endpoints and events are kept as long as promised', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  await db.pool.query(ENDPOINT, ['whe_live', workspaceId, null]);
  const [old, recent] = ['evt_old', 'evt_recent'];
  for (const [id, days] of [
    [old, RETENTION_DAYS + 1],
    [recent, RETENTION_DAYS - 1],
  ] as const) {
    await db.pool.query(EVENT, [id, workspaceId, daysAgo(days)]);
    await db.pool.query(ATTEMPT, ['wha_', id]);
    await db.pool.query('update webhook_deliveries set created_at = $2 where event_id = $1', [id, daysAgo(days)]);
  }
  await db.pool.query(ENDPOINT, ['whe_gone', workspaceId, daysAgo(RETENTION_DAYS + 1)]);
  await db.pool.query(ENDPOINT, ['whe_deleted', workspaceId, daysAgo(1)]);
  expect([await pruneDeliveries(db.everywhere), await pruneEvents(db.pool)]).toEqual([1, 1]);
  expect(await idsIn('webhook_deliveries', 'event_id')).toEqual([recent]);
  expect(await idsIn('webhook_attempts')).toHaveLength(1);
  expect(await idsIn('webhook_endpoints')).toEqual(['whe_deleted', 'whe_live']);
  const events = await idsIn('platform_events');
  expect([events.includes(old), events.includes(recent)]).toEqual([false, true]);
  expect([await pruneDeliveries(db.everywhere), await pruneEvents(db.pool)]).toEqual([0, 0]);
});

test('deleted endpoints are deleted in portions', async () => {
  await db.pool.query(
    `insert into webhook_endpoints (id, workspace_id, url, secrets, deleted_at)
      select 'whe_old' || n, $1, 'https://a.test', '[]', now() - interval '${RETENTION_DAYS + 1} days' from generate_series(1, 5001) n`,
    [workspaceId],
  );
  const statements = jest.spyOn(db.pool, 'query');
  await pruneDeliveries(db.everywhere);
  const deleting = statements.mock.calls.filter(([text]) => text.startsWith('delete from webhook_endpoints'));
  expect(deleting).toHaveLength(2);
  statements.mockRestore();
  expect(await idsIn('webhook_endpoints')).toEqual(['whe_deleted', 'whe_live']);
});
