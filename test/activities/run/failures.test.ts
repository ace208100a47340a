import { afterAll, describe, expect, test } from '@jest/globals';
import { asyncLocalStorage, type ApplicationFailure, type Context } from '@temporalio/activity';
import type { Pool } from 'pg';
import { failStep, putOffAfterLosses, withTries } from '../../../activities/run/failures.ts';
import type { Watch } from '../../../activities/run/watchActivity.ts';
import { inTransaction } from '../../../db/postgres/transaction.ts';
import { StepLost, retriesOf } from '../../../db/runs/steps/steps.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { beginRun, makeRun } from '../../support/run.ts';

const db = await setTestDatabase();
const account = await makeAccount(db);
afterAll(() => db.close());

const CARD = JSON.stringify({ meters: [], network_fee_percentage: 10 });
const context = { info: { attempt: 40 }, log: { warn: () => {} } } as unknown as Context;
const watch: Watch = {
  signal: new AbortController().signal,
  stopReason: () => undefined,
  stopAfter: () => {},
  leftMs: () => Infinity,
  end: () => {},
};

/** The failure of a short activity whose work throws this. */
async function failureAfter(thrown: unknown) {
  let tries = 0;
  const { work } = withTries({
    work: async (): Promise<void> => {
      tries += 1;
      throw thrown;
    },
  });
  const failure = await asyncLocalStorage.run(context, work).catch((error: unknown) => error);
  return { tries, failure };
}

/** A run whose first step fails, again and again. `end` returns how one attempt of it does. */
async function makeFailing() {
  const { id: runId } = await makeRun(db, account);
  await db.pool.query('update runs set rate_card = $2 where id = $1', [runId, CARD]);
  async function end(error: unknown, pool: Pool = db.pool) {
    const begun = await beginRun(db.pool, runId);
    if (begun.state !== 'begun') throw new Error(`the step is ${begun.state}`);
    const attempt = { begun: begun.begun, watch, error, hasSpoken: false };
    const failure = await asyncLocalStorage.run(context, () => failStep({ pool, retryDelayMaxMs: 1 }, attempt));
    return { failure, retries: await retriesOf(db.pool, begun.begun) };
  }
  return { end };
}

// Of a statement that waited too long, as behind a lock.
const cancelled = await inTransaction(db.pool, async (client) => {
  await client.query('set local statement_timeout = 1');
  await client.query('select pg_sleep(60)');
}).catch((error: unknown) => error);

describe('a step that another attempt has taken over', () => {
  test('is begun again, however often it was', async () => {
    const { tries, failure } = await failureAfter(new StepLost('taken'));
    expect(tries).toBe(1);
    expect(failure).toMatchObject({ name: 'ApplicationFailure', nonRetryable: false });
  });

  test('is left when its run has ended', async () => {
    const { tries, failure } = await failureAfter(new StepLost('ended', { isOver: true }));
    expect(tries).toBe(1);
    expect(failure).toMatchObject({ type: 'lost', nonRetryable: true });
  });
});

describe('statements that are too slow', () => {
  test('do not end the tries of a short activity', async () => {
    expect(cancelled).toMatchObject({ code: '57014' });
    const { tries, failure } = await failureAfter(cancelled);
    expect(tries).toBe(1);
    expect(failure).toMatchObject({ nonRetryable: false });
  });

  test('end a step only after many of them', async () => {
    const { end } = await makeFailing();
    for (let tries = 1; tries < 12; tries += 1) {
      const { failure, retries } = await end(cancelled);
      expect([failure, retries]).toMatchObject([{ nonRetryable: false }, { database_busy: tries }]);
    }
    expect((await end(cancelled)).failure).toMatchObject({ type: 'platform', nonRetryable: true });
  });
});

test('an attempt that a database outage has ended is recorded as such when the database is back', async () => {
  const { end } = await makeFailing();
  const away = Object.assign(new Error('terminating connection'), { code: '57P01' });
  let refused = 0;
  const unless = (answer: () => unknown) => (refused === 3 ? answer() : (refused += 1) && Promise.reject(away));
  const query = (...args: [string, unknown[]]) => unless(() => db.pool.query(...args));
  const pool = { query, connect: () => unless(() => db.pool.connect()) } as unknown as Pool;
  const { failure, retries } = await end(away, pool);
  expect([failure, retries]).toMatchObject([{ nonRetryable: false }, { database_unavailable: 1 }]);
});

test('a step whose workers are killed is tried at growing distances of its own, and not without end', async () => {
  const { id: runId } = await makeRun(db, account);
  await db.pool.query('update runs set rate_card = $2 where id = $1', [runId, CARD]);
  const delays: number[] = [];
  let [worked, isEnded] = [0, false];
  while (!isEnded && worked < 20) {
    const started = await beginRun(db.pool, runId);
    if (started.state !== 'begun') throw new Error(`the step is ${started.state}`);
    const { begun } = started;
    try {
      putOffAfterLosses(begun.attempt, await retriesOf(db.pool, begun));
      // The worker is killed.
      worked += 1;
    } catch (error) {
      const failing = () =>
        failStep({ pool: db.pool, retryDelayMaxMs: 60_000 }, { begun, watch, error, hasSpoken: false });
      const { nonRetryable, nextRetryDelay } = (await asyncLocalStorage.run(context, failing)) as ApplicationFailure;
      isEnded = nonRetryable === true;
      if (!isEnded) delays.push(Number(nextRetryDelay));
    }
  }
  expect([isEnded, worked]).toEqual([true, 12]);
  const most = [4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000, 60_000];
  expect(delays).toHaveLength(most.length);
  // Other steps of the lost workers have the same distances: all together never come at one moment.
  expect(delays).not.toEqual(most);
  for (const [at, delayMs] of delays.entries()) {
    expect(delayMs).toBeGreaterThanOrEqual(most[at]! / 4);
    expect(delayMs).toBeLessThanOrEqual(most[at]!);
  }
});
