import { afterAll, expect, test } from '@jest/globals';
import { DUE_MAX, markTold, readDueDeliveries } from '../../../db/webhooks/deliveries.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

/** Deliveries that are due for an endpoint, the first that many seconds ago. */
const due = (endpointId: string, { count, secondsAgo }: { count: number; secondsAgo: number }) =>
  db.pool.query(
    `insert into webhook_deliveries (id, event_id, endpoint_id, workspace_id, event_type, due_at)
     select $1 || n, $1 || n, $1, 'ws_1', 'run.completed', now() - $3 * interval '1 second' + n * interval '1 millisecond'
     from generate_series(1, $2::int) n`,
    [endpointId, count, secondsAgo],
  );

test('deliveries of an endpoint do not wait for the older ones of a flood at another', async () => {
  await due('we_flood', { count: 3 * DUE_MAX, secondsAgo: 60 });
  await due('we_calm', { count: 2, secondsAgo: 0 });
  const first = await readDueDeliveries(db.everywhere);
  expect(first.slice(0, 4).map(({ id }) => id)).toEqual(['we_flood1', 'we_calm1', 'we_flood2', 'we_calm2']);
  expect(first.slice(0, 4).map(({ isFlood }) => isFlood)).toEqual([true, false, true, false]);
  const all = new Set<string>();
  for (let page = first; page.length > 0; page = await readDueDeliveries(db.everywhere)) {
    for (const one of page) await markTold(db.everywhere, one);
    for (const { id } of page) all.add(id);
  }
  expect(all.size).toBe(3 * DUE_MAX + 2);
});
