import { afterAll, describe, expect, test } from '@jest/globals';
import { createInquiries } from '../../../db/answers/inquiries.ts';
import type { KeptCall } from '../../../db/answers/keptCall.ts';
import { newId } from '../../../db/ids.ts';
import { RUNS_PROCESS } from '../../../db/ledger/runHolds.ts';
import type { Notice } from '../../../db/postgres/notices.ts';
import { setTestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const workspaceId = 'ws_1';
// It has no process of its own among those that are asked.
const db = await setTestDatabase({ spends: false });
afterAll(() => db.close());

describe('a question to another process', () => {
  /** Two processes, and a link between them that loses the first questions. The second one runs a call. */
  async function linked({
    lost,
    renewedAgo,
    role = 'api',
    runs = [],
  }: {
    lost: number;
    renewedAgo: string;
    role?: string;
    runs?: string[];
  }) {
    const asked: Notice[] = [];
    const listeners: ((notice: Notice) => void)[] = [];
    const notices = {
      address: 'here',
      listen(listener: (notice: Notice) => void) {
        listeners.push(listener);
        return () => {};
      },
      notifyAll: async () => undefined,
      async send(_: unknown, notice: Notice): Promise<undefined> {
        if (notice.kind !== 'call-sought' || asked.push(notice) > lost) for (const hear of listeners) hear(notice);
      },
    };
    await db.pool.query(
      `insert into processes (id, lease_until, renewed_at, role) values ('runner', now() + interval '1 hour', now() - $1::interval, $2)
      on conflict (id) do update set renewed_at = excluded.renewed_at, role = excluded.role`,
      [renewedAgo, role],
    );
    const call = db.answers.begin({
      requestId: newId('req'),
      workspaceId,
      fingerprint: null,
      bodyHash: null,
      graceMs: 0,
    });
    const joined = (id: string, find: (workspaceId: string, requestId: string) => KeptCall | undefined) => {
      const own = { pool: db.pool, notices, processId: () => id, runsProcess: RUNS_PROCESS, spends: true };
      const isFollowed = (runId: string) => id === 'runner' && runId === 'run_followed';
      return createInquiries({
        ...own,
        find,
        isFollowed,
        withFingerprint: () => [],
        hurry: () => {},
        onError: console.error,
      });
    };
    const processes = [
      joined('asker', () => undefined),
      joined('runner', (_, requestId) => (requestId === call.order.requestId ? call : undefined)),
    ];
    const { requestId, isSure } = await processes[0]!.asking.ask({ workspaceId, requestId: call.order.requestId });
    const questions = asked.length;
    const isRunFollowed = (runId: string) => processes[0]!.asking.isRunFollowed(workspaceId, runId, () => false);
    const followed = await Promise.all(runs.map(isRunFollowed));
    for (const { close } of processes) close();
    db.answers.end(call, true);
    return { isFound: requestId === call.order.requestId, isSure, questions, followed };
  }

  test('is repeated while that one lives and has not answered', async () => {
    expect(await linked({ lost: 2, renewedAgo: '-1 hour' })).toMatchObject({
      isFound: true,
      isSure: true,
      questions: 3,
    });
  });

  test('is not repeated when that one is silent, and may be paused', async () => {
    const found = await linked({ lost: 1, renewedAgo: '1 minute' });
    expect(found).toMatchObject({ isFound: false, isSure: false, questions: 1 });
  });

  test.each([
    ['api', true],
    ['worker', false],
  ])('is waited for by retries while a process of this role is silent: %s', async (role, isWaitedFor) => {
    await linked({ lost: 1, renewedAgo: '1 minute', role });
    expect(await db.answers.hasSilent()).toBe(isWaitedFor);
  });

  test('stays open when one is busy for long and another one may be paused', async () => {
    await db.pool.query(
      `insert into processes (id, lease_until, renewed_at) values ('paused', now() + interval '1 hour', now() - interval '1 minute')`,
    );
    expect(await linked({ lost: Infinity, renewedAgo: '-1 hour' })).toMatchObject({ isFound: false, isSure: false });
    await db.pool.query("delete from processes where id = 'paused'");
  });

  test('who follows a run, or runs a request, is not known while a process is paused', async () => {
    await db.pool.query(`delete from processes where id = 'runner'`);
    await db.pool.query(
      `insert into processes (id, lease_until, renewed_at) values ('paused', now() + interval '1 hour', now() - interval '1 minute')`,
    );
    let looks = 0;
    const query = (sent: { name: string; text: string }) => {
      if (sent.name === 'others_paused') looks += 1;
      return db.pool.query(sent);
    };
    const notices = {
      address: 'here',
      listen: () => () => {},
      notifyAll: async () => undefined,
      send: async () => undefined,
    };
    const { asking, close } = createInquiries({
      pool: { query } as unknown as typeof db.pool,
      notices,
      processId: () => 'asker',
      runsProcess: RUNS_PROCESS,
      spends: true,
      find: () => undefined,
      isFollowed: () => false,
      withFingerprint: () => [],
      hurry: () => {},
      onError: console.error,
    });
    expect(await asking.isRunning(workspaceId, newId('req'))).toBeUndefined();
    let isKnown = false;
    const followed = asking.isRunFollowed(workspaceId, 'run_left', () => false).finally(() => (isKnown = true));
    await Promise.race([followed, until(() => looks > 0)]);
    expect(isKnown).toBe(false);
    // A process that ends does not wait for it, and cancels nothing.
    expect(await asking.isRunFollowed(workspaceId, 'run_left', () => true)).toBe(true);
    await db.pool.query(`update processes set reaped_at = now() where id = 'paused'`);
    expect([await followed, await asking.isRunning(workspaceId, newId('req'))]).toEqual([false, false]);
    await db.pool.query(`delete from processes where id = 'paused'`);
    close();
  });

  test('tells whether a caller of that one follows a run', async () => {
    const runs = ['run_followed', 'run_left'];
    expect((await linked({ lost: 0, renewedAgo: '-1 hour', runs })).followed).toEqual([true, false]);
  });
});
