import { expect, test } from '@jest/globals';
import { createDeliverWebhook } from '../../../activities/webhooks/deliverWebhook.ts';
import type { WebhookDependencies } from '../../../activities/dependencies.ts';
import { redeliver } from '../../../db/webhooks/deliveries.ts';
import { openWorkspace } from '../../db/sessions/sessionStage.ts';

const { db, workspaceId } = await openWorkspace();

await db.pool.query(
  `insert into webhook_endpoints (id, workspace_id, url, secrets) values ('whe_1', $1, 'http://127.0.0.1:9/', '[]')`,
  [workspaceId],
);
await db.pool.query(
  `insert into platform_events (id, workspace_id, type, resource_type, resource_id, data)
   values ('evt_1', $1, 'balance.low', 'test', 'test', '{}')`,
  [workspaceId],
);
const sending = { allowPrivate: 'loopback' as const, delaysMs: [3_600_000, 1] };
const deliver = createDeliverWebhook({ db, webhooks: { sending } } as unknown as WebhookDependencies);
const attempts = async () => (await db.pool.query('select from webhook_attempts')).rowCount;

test('a delivery that is woken before its next attempt is due waits for it, until it is ordered again', async () => {
  const order = { eventId: 'evt_1', endpointId: 'whe_1' };
  expect((await deliver(order)).delayMs).toBeGreaterThanOrEqual(3_600_000);
  const { delayMs } = await deliver(order);
  expect(delayMs).toBeGreaterThan(3_000_000);
  expect(await attempts()).toBe(1);
  await redeliver(db.write(workspaceId), 'evt_1', 'whe_1');
  expect((await deliver(order)).delayMs).toBeGreaterThanOrEqual(3_600_000);
  expect(await attempts()).toBe(2);
});
