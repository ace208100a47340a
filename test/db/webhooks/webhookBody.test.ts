import { expect, test } from '@jest/globals';
import type { EventObject } from '../../../db/events/readEvents.ts';
import { WEBHOOK_BYTES_MAX, webhookBody } from '../../../db/webhooks/webhookBody.ts';

const at = '2026-11-23T12:00:00.000Z';
const eventOf = (output: string): EventObject => ({
  id: 'evt_1',
  object: 'event',
  type: 'run.completed',
  created_at: at,
  timestamp: at,
  sequence: 9,
  run_id: 'run_1',
  resource: { type: 'run', id: 'run_1' },
  data: { id: 'run_1', output },
});

test('the body is the event', () => {
  expect(JSON.parse(webhookBody(eventOf('Hello.')))).toEqual(eventOf('Hello.'));
});

test('a larger event than a body may be is sent without its data, and says so', () => {
  const rest = WEBHOOK_BYTES_MAX - Buffer.byteLength(JSON.stringify(eventOf('')));
  expect(JSON.parse(webhookBody(eventOf('x'.repeat(rest))))).toMatchObject({ data: { output: expect.any(String) } });
  expect(JSON.parse(webhookBody(eventOf(`${'x'.repeat(rest - 1)}é`)))).toEqual({
    ...eventOf(''),
    data: { id: 'run_1', object: 'run', truncated: true },
  });
});
