import { afterAll, afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ServiceError } from '@temporalio/client';
import { createLog } from '../../base/log.ts';
import { connectToNamespace, isOfServer, patiently } from '../../worker/connection.ts';
import { SWEEP_SCHEDULE_ID, SWEEP_WORKFLOW } from '../../contracts/sweep.ts';
import { startTestTemporal } from '../support/temporal.ts';

const DELAY_MS = 2_000;

const server = await startTestTemporal();

afterAll(() => server.stop());

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['performance'] }));
afterEach(() => void jest.useRealTimers());

/** Settings, and a log whose errors are kept. */
function place(temporal = { address: '127.0.0.1:1', namespace: 'default' }) {
  const logged: string[] = [];
  const keep = (line: string) => void logged.push((JSON.parse(line) as { err: { message: string } }).err.message);
  return { temporal, logger: createLog('warn', { write: keep }), logged };
}

// As a server answers that has just restarted with a long history.
const slow = Object.assign(new ServiceError('Failed to describe schedule'), {
  cause: Object.assign(new Error('Timeout expired'), { code: 1 }),
});
const refused = Object.assign(new ServiceError('Failed to create schedule'), {
  cause: Object.assign(new Error('Namespace nobody is not found.'), { code: 5 }),
});

test('what a busy server does not answer is asked again, and each time is logged', async () => {
  const at = place();
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries < 3) throw slow;
    return 'registered';
  };
  const working = patiently(at, work, isOfServer);
  await jest.advanceTimersByTimeAsync(DELAY_MS - 1);
  expect(tries).toBe(1);
  await jest.advanceTimersByTimeAsync(DELAY_MS + 1);
  expect(await working).toBe('registered');
  expect(at.logged).toEqual(Array(2).fill('Failed to describe schedule: Timeout expired'));
});

test('what the server refuses is an error at once', async () => {
  const at = place();
  await expect(patiently(at, () => Promise.reject(refused), isOfServer)).rejects.toBe(refused);
  expect(at.logged).toEqual([]);
});

test('schedules are registered, again by a second worker; an unknown namespace is an error', async () => {
  jest.useRealTimers();
  const nowhere = place({ ...server, namespace: 'nobody' });
  await expect(connectToNamespace(nowhere)).rejects.toThrow(/nobody/);
  expect(nowhere.logged).toEqual([]);
  for (let workers = 0; workers < 2; workers += 1) {
    const { connection, client } = await connectToNamespace(place(server));
    const { action } = await client.schedule.getHandle(SWEEP_SCHEDULE_ID).describe();
    expect(action).toMatchObject({ workflowType: SWEEP_WORKFLOW });
    await connection.close();
  }
});
