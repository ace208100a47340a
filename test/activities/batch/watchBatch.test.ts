import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { watchBatch } from '../../../activities/batch/watchBatch.ts';
import type { Rows } from '../../../db/postgres/rows.ts';

const POLL_MS = 500;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => void jest.useRealTimers());

test('a batch that is cancelled stays so when an older look at it is answered later', async () => {
  const running = { rows: [{ status: 'in_progress', expired: false }] };
  const cancelling = { rows: [{ status: 'cancelling', expired: false }] };
  const older = Promise.withResolvers<typeof running>();
  const looks = [Promise.resolve(running), older.promise, Promise.resolve(cancelling)];
  const everywhere = { statement: () => looks.shift()! } as unknown as Rows<undefined>;
  const context = { heartbeat: () => {}, cancellationSignal: new AbortController().signal } as unknown as Context;
  const watch = await asyncLocalStorage.run(context, () => watchBatch(everywhere, 'batch_1'));
  jest.advanceTimersByTime(2 * POLL_MS);
  await new Promise(setImmediate);
  expect(watch.ending).toBe('cancelled');
  older.resolve(running);
  await new Promise(setImmediate);
  expect(watch.ending).toBe('cancelled');
  watch.end();
});
