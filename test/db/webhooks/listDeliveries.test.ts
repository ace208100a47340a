import { afterAll, expect, jest, test } from '@jest/globals';
import { Client } from 'pg';
import { findEvent } from '../../../db/events/readEvents.ts';
import { listDeliveries } from '../../../db/webhooks/deliveries.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

test('the events of a page of deliveries are read by one statement', async () => {
  const { workspaceId } = await makeAccount(db);
  await db.pool.query(
    `with events as (
      insert into run_events (run_id, sequence, workspace_id, type, data)
      select 'run_listed' || lpad(n::text, 16, '0'), 1, $1, 'run.queued', jsonb_build_object('n', n) from generate_series(1, 20) n
      returning run_id)
    insert into webhook_deliveries (id, event_id, endpoint_id, workspace_id, event_type, status, next_try_at, due_at)
    select 'whd_' || run_id, 'evt_' || substr(run_id, 5) || '000001', 'we_listed', $1, 'run.queued', 'delivered', null, null from events`,
    [workspaceId],
  );
  const rows = db.read(workspaceId);
  const query = jest.spyOn(Client.prototype, 'query');
  const listed = await listDeliveries(rows, { endpointId: 'we_listed' }, { after: null, limit: 100 });
  const texts = query.mock.calls.map(([sent]) => (typeof sent === 'string' ? sent : (sent as { text?: string }).text));
  expect(texts.filter((text) => text?.includes('run_events'))).toHaveLength(1);
  expect(listed.rows).toHaveLength(20);
  for (const { eventId, event } of listed.rows) expect(event).toEqual(await findEvent(rows, eventId));
  expect(new Set(listed.rows.map(({ event }) => JSON.stringify(event!.data))).size).toBe(20);
});
