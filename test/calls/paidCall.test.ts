import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { Caller } from '../../calls/caller.ts';
import type { Delivery, Outcome } from '../../calls/delivery.ts';
import { runPaidCall, type PaidCall } from '../../calls/paidCall.ts';
import type { CallServices } from '../../calls/services.ts';
import { insertBatch } from '../../db/batches/batches.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import { newId } from '../../db/ids.ts';
import { readLiveKey } from '../../db/keys/keys.ts';
import { balanceOf, makeAccount } from '../support/account.ts';
import { setTestDatabase } from '../support/database.ts';
import { expectSoundLedger } from '../support/ledger.ts';

const db = await setTestDatabase();
afterEach(() => expectSoundLedger(db));
afterAll(() => db.close());

const BALANCE_NANOS = 1_000_000n;
const PRICE_NANOS = 7_000n;
const model = { id: 'spoken', kind: 'speech', rates: { input_characters: 1_000_000n } } as unknown as Model;

/** Somebody who pays, without a request. */
async function somebody(hasLeft = () => false) {
  const { keyId, workspaceId } = await makeAccount(db, { balanceNanos: BALANCE_NANOS });
  const caller: Caller = {
    requestId: newId('req'),
    key: (await readLiveKey(db.pool, keyId))!,
    route: '/nowhere',
    startedAtMs: Date.now(),
    begunAtMs: performance.now(),
    bodyBytes: 0,
    log: {},
    allowsPartial: () => false,
    hasLeft,
    onLeave: (listener) => void (leave = listener),
  };
  return { caller, spentNanos: async () => BALANCE_NANOS - (await balanceOf(db, workspaceId)) };
}
let leave: () => void;

/** Seven characters; `produce` says how they are made. */
const callOf = (produce: PaidCall<string>['produce']): PaidCall<string> => ({
  model,
  price: { wholeNanos: PRICE_NANOS, leastNanos: PRICE_NANOS },
  produce,
  whole: () => ({ input_characters: 7 }),
  unbilled: () => ({ input_characters: 0 }),
  consumed: () => ({ input_characters: 2 }),
});

/** Keeps what it is given. */
function place(more: Partial<Delivery<string>> = {}) {
  const got: [string, Outcome][] = [];
  const to: Delivery<string> = {
    hasBegun: false,
    present: (answer, outcome) => void got.push([answer, outcome]),
    ...more,
  };
  return { to, got };
}

const run = (caller: Caller, call: PaidCall<string>, to: Delivery<string>) =>
  runPaidCall(caller, { db, shutdown: { onCut: () => () => {} } } as unknown as CallServices, call, to);

const saysHello = callOf(() => Promise.resolve('hello'));
const fails = callOf(() => Promise.reject(new Error('no voice')));

test('a call ends in what was charged and used, for any caller', async () => {
  const { caller, spentNanos } = await somebody();
  const { to, got } = place();
  await run(caller, saysHello, to);
  const outcome = { chargedNanos: PRICE_NANOS, usage: { input_characters: 7 }, truncatedBy: undefined };
  expect(got).toEqual([['hello', outcome]]);
  expect(caller.log.costNanos).toBe(PRICE_NANOS);
  expect(await spentNanos()).toBe(PRICE_NANOS);
});

test('a failure is thrown before the answer has begun, and bills nothing', async () => {
  const { caller, spentNanos } = await somebody();
  const { to, got } = place();
  await expect(run(caller, fails, to)).rejects.toThrow('no voice');
  expect(got).toEqual([]);
  expect(await spentNanos()).toBe(0n);
});

test('a failure is presented once the answer has begun, and bills nothing', async () => {
  const { caller, spentNanos } = await somebody();
  const codes: string[] = [];
  const { to } = place({ hasBegun: true, fail: ({ code }) => void codes.push(code) });
  await run(caller, fails, to);
  expect(codes).toEqual(['internal_error']);
  expect(await spentNanos()).toBe(0n);
});

test('a caller that leaves pays for what was produced until then', async () => {
  const { caller, spentNanos } = await somebody();
  const { to, got } = place();
  const leaving = callOf((_, abort) => {
    leave();
    return Promise.reject(abort.reason);
  });
  await expect(run(caller, leaving, to)).rejects.toThrow('the client disconnected');
  await db.ledger.posted();
  expect([got, caller.log.cancelled, await spentNanos()]).toEqual([[], true, 2_000n]);
});

test('nothing runs for a caller that has left before it', async () => {
  const { caller, spentNanos } = await somebody(() => true);
  const { to, got } = place();
  await expect(run(caller, saysHello, to)).rejects.toThrow('before its call began');
  expect([got, await spentNanos()]).toEqual([[], 0n]);
});

test.each([
  { isTaken: false, nanos: PRICE_NANOS },
  { isTaken: true, nanos: 0n },
])(
  'a line of a batch is billed and stored once: with the result of another call: $isTaken',
  async ({ isTaken, nanos }) => {
    const { caller, spentNanos } = await somebody();
    const { workspaceId, keyId } = caller.key;
    const order = { endpoint: '/v1/embeddings', inputFileId: 'file_x', metadata: null, outputSeconds: 1 };
    const { id: batchId } = await insertBatch(db.write(workspaceId), { id: newId('batch'), keyId, ...order });
    const line = { batchId, line: 1, output: 'hello' };
    if (isTaken)
      await db.pool.query(
        "insert into batch_results (batch_id, line, workspace_id, is_failed, request_id, output) values ($1, 1, $2, false, 'req_other', 'other')",
        [batchId, workspaceId],
      );
    const { to, got } = place({ line: () => line });
    await run(caller, saysHello, to);
    await db.ledger.posted();
    expect(got).toHaveLength(1);
    expect(await spentNanos()).toBe(nanos);
    const { rows } = await db.pool.query('select output from batch_results where batch_id = $1', [batchId]);
    expect(rows).toEqual([{ output: isTaken ? 'other' : 'hello' }]);
  },
);
