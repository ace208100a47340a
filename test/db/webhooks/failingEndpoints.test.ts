import { expect, test } from '@jest/globals';
import { recordAttempt, RETRY_DELAYS_MS } from '../../../db/webhooks/attempts.ts';
import { readOrder, redeliver } from '../../../db/webhooks/deliveries.ts';
import { openWorkspace } from '../sessions/sessionStage.ts';

const { db, workspaceId } = await openWorkspace();

const ENDPOINT = `insert into webhook_endpoints (id, workspace_id, url, secrets) values ($1, $2, 'https://a.test', '[]')`;
const EVENT = `
insert into platform_events (id, workspace_id, type, resource_type, resource_id, data)
values ($1, $2, 'balance.low', 'test', 'test', '{}')`;
const AGE = {
  endpoint: `update webhook_endpoints set failing_since = failing_since - $2 * interval '1 day' where id = $1`,
  attempts: `update webhook_attempts a set created_at = a.created_at - $2 * interval '1 day' from webhook_deliveries d
    where d.id = a.delivery_id and d.endpoint_id = $1`,
};

/** Records a failed attempt to send an event to the endpoint. Returns the endpoint's state. */
async function fail(endpointId: string, eventId: string) {
  const order = (await readOrder(db.everywhere, { endpointId, eventId }))!;
  const result = { statusCode: 500, responseBody: null, error: 'It answered 500.', durationMs: 1 };
  const delayMs = await recordAttempt(db.everywhere, order, { result, delaysMs: RETRY_DELAYS_MS });
  const sql = 'select disabled_reason, failing_since from webhook_endpoints where id = $1';
  return { delayMs, ...(await db.pool.query(sql, [endpointId])).rows[0] };
}

/** As if this many days had passed since all attempts. */
async function pass(endpointId: string, days: number): Promise<void> {
  for (const sql of Object.values(AGE)) await db.pool.query(sql, [endpointId, days]);
}

test('an endpoint that failed all the time, with an attempt a day, is disabled after five days', async () => {
  await db.pool.query(ENDPOINT, ['whe_tried', workspaceId]);
  await db.pool.query(EVENT, ['evt_tried', workspaceId]);
  for (let day = 0; day < 5; day += 1) {
    expect(await fail('whe_tried', 'evt_tried')).toMatchObject({ disabled_reason: null });
    await pass('whe_tried', 1);
  }
  expect(await fail('whe_tried', 'evt_tried')).toMatchObject({ disabled_reason: 'failing', delayMs: null });
});

test('the first failure after days without an attempt does not disable an endpoint', async () => {
  await db.pool.query(ENDPOINT, ['whe_rare', workspaceId]);
  await db.pool.query(EVENT, ['evt_first', workspaceId]);
  const { failing_since: before } = await fail('whe_rare', 'evt_first');
  await pass('whe_rare', 8);
  await db.pool.query(EVENT, ['evt_later', workspaceId]);
  const after = await fail('whe_rare', 'evt_later');
  expect(after).toMatchObject({ disabled_reason: null, delayMs: RETRY_DELAYS_MS[0] });
  expect(after.failing_since.getTime()).toBeGreaterThanOrEqual(before.getTime());
  await pass('whe_rare', 1);
  expect(await fail('whe_rare', 'evt_later')).toMatchObject({ disabled_reason: null });
});

test('an attempt before a redelivery that still waits shows that an endpoint was tried', async () => {
  await db.pool.query(ENDPOINT, ['whe_again', workspaceId]);
  await db.pool.query(EVENT, ['evt_again', workspaceId]);
  const { failing_since: since } = await fail('whe_again', 'evt_again');
  await pass('whe_again', 1);
  await redeliver(db.write(workspaceId), 'evt_again', 'whe_again');
  await db.pool.query(EVENT, ['evt_next', workspaceId]);
  const after = await fail('whe_again', 'evt_next');
  expect(after.failing_since.getTime()).toBeLessThan(since.getTime());
});
