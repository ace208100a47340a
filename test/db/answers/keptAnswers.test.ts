import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { forgetOldParts } from '../../../db/answers/answerPart.ts';
import type { CallOrder, KeptCall } from '../../../db/answers/keptCall.ts';
import { newId } from '../../../db/ids.ts';
import { setTestDatabase } from '../../support/database.ts';
import { productGlobal } from '../../support/productRealm.ts';
import { until } from '../../support/until.ts';

const workspaceId = 'ws_1';
const db = await setTestDatabase();
beforeEach(() => db.pool.query('truncate answer_parts'));
afterAll(() => db.close());

const begin = (more: Partial<CallOrder> = {}): KeptCall =>
  db.answers.begin({ requestId: newId('req'), workspaceId, fingerprint: null, bodyHash: null, graceMs: 0, ...more });

const textOf = async ({ order }: KeptCall) =>
  Buffer.concat((await db.answers.readParts(workspaceId, order.requestId, 0)).map(({ bytes }) => bytes)).toString();

const statesOf = async ({ order }: KeptCall) =>
  (await db.answers.readParts(workspaceId, order.requestId, 0)).map(({ state, bytes }) => [
    state,
    Buffer.from(bytes).toString(),
  ]);

test('nothing waits to be written after the database is closed: its retries would never end', async () => {
  const closed = await setTestDatabase();
  const order = { requestId: newId('req'), workspaceId, fingerprint: null, bodyHash: null, graceMs: 0 };
  const call = closed.answers.begin(order);
  await closed.close();
  jest.useFakeTimers();
  call.begin('{}');
  call.add('late');
  closed.answers.end(call, false);
  closed.responseItems.keep(workspaceId, [{ id: newId('msg') }]);
  closed.refusals.keep({
    id: newId('req'),
    workspaceId,
    keyId: newId('key'),
    route: '/v1/models',
    model: null,
    status: 429,
    code: 'rate_limit_exceeded',
    message: 'Too many requests.',
    durationMs: 1,
  });
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

describe('a kept answer', () => {
  test('is read in parts, without a gap, and by its own workspace alone', async () => {
    const call = begin();
    call.begin('{}');
    call.add('Añb');
    await db.answers.flush();
    call.add(Buffer.from([0xe2, 0x82, 0xac]));
    call.isWhole = true;
    db.answers.end(call, false);
    await db.answers.flush();
    expect(await textOf(call)).toBe('{}\nAñb€');
    const parts = await db.answers.readParts(workspaceId, call.order.requestId, 0);
    expect(parts.map(({ part, state }) => [part, state])).toEqual([
      [0, 'open'],
      [1, 'whole'],
    ]);
    expect(await db.answers.readParts('ws_2', call.order.requestId, 0)).toEqual([]);
  });

  test('that ends while its earlier parts are stored is stored to its end', async () => {
    const call = begin();
    call.begin('{}');
    call.add('early');
    const storing = db.answers.flush();
    call.add(', late');
    call.isWhole = true;
    db.answers.end(call, false);
    await storing;
    await db.answers.flush();
    const parts = await db.answers.readParts(workspaceId, call.order.requestId, 0);
    expect(parts.map(({ state, bytes }) => [state, Buffer.from(bytes).toString()])).toEqual([
      ['open', '{}\nearly'],
      ['whole', ', late'],
    ]);
  });

  test('of several with the same text is the one that was replayed so often', async () => {
    const calls: KeptCall[] = [];
    for (let count = 0; count < 3; count++) {
      const call = begin({ fingerprint: 'same' });
      call.begin('{}');
      db.answers.end(call, false);
      await db.answers.flush();
      calls.push(call);
    }
    const ids = calls.map(({ order }) => order.requestId);
    await db.answers.noteReplay(workspaceId, ids[0]!);
    expect(await db.answers.findKept(workspaceId, 'same', 0)).toBe(ids[2]);
    expect(await db.answers.findKept(workspaceId, 'same', 1)).toBe(ids[0]);
    expect(await db.answers.findKept('ws_2', 'same', 0)).toBeUndefined();
  });

  test('is bounded: what is larger is not kept', async () => {
    const call = begin();
    call.begin('{}');
    call.add('x'.repeat(9 * 1024 * 1024));
    // Neither does a view of its beginning keep all of it in memory.
    expect(call.unstored()[0]!.bytes.buffer.byteLength).toBeLessThan(100_000);
    db.answers.end(call, false);
    await db.answers.flush();
    expect(await statesOf(call)).toEqual([['large', '{}\n']]);
    const whole = begin();
    expect(whole.complete('{}', 'x'.repeat(1024 * 1024)).part).toBeUndefined();
    db.answers.end(whole, false);
  });

  test.each([false, true])('that is given up keeps no more than its head in memory (ended: %p)', async (hasEnded) => {
    const call = begin();
    call.begin('{}');
    call.add('early');
    call.unstored();
    call.add('more');
    call.isWhole = hasEnded;
    if (hasEnded) db.answers.end(call, false);
    call.giveUp('unkept');
    expect([call.state, call.canBeRead]).toEqual(['unkept', false]);
    call.add('later');
    expect(call.unstored().map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['{}\n', '']);
    if (!hasEnded) db.answers.end(call, false);
    await db.answers.flush();
    expect(await statesOf(call)).toEqual([
      ['open', '{}\n'],
      ['unkept', ''],
    ]);
  });

  test('that becomes too large while its beginning is stored says so after that', async () => {
    const call = begin({ graceMs: 1_000 });
    call.begin('{}');
    call.add('early');
    const storing = db.answers.flush();
    call.leave();
    call.add('x'.repeat(9 * 1024 * 1024));
    await storing;
    await db.answers.flush();
    expect(await statesOf(call)).toEqual([
      ['open', '{}\nearly'],
      ['large', ''],
    ]);
    // It takes no more readers.
    expect([call.isGone, call.attach()]).toEqual([true, undefined]);
    db.answers.end(call, true);
    await db.answers.flush();
    expect(await statesOf(call)).toHaveLength(2);
  });

  test('that has failed is not read by a retry, and its end is known before it is stored', async () => {
    const call = begin();
    call.begin('{}');
    await db.answers.flush();
    const { requestId } = call.order;
    expect([call.canBeRead, await db.answers.endOf(workspaceId, requestId)]).toEqual([true, undefined]);
    db.answers.end(call, false);
    expect([call.canBeRead, await db.answers.endOf(workspaceId, requestId)]).toEqual([false, 'failed']);
    await db.answers.flush();
    await until(() => db.answers.find(workspaceId, requestId) === undefined);
    expect(await db.answers.endOf(workspaceId, requestId)).toBe('failed');
  });

  test('is forgotten after two periods of ten minutes', async () => {
    const { rows } = await db.pool.query(
      'select (extract(epoch from now())::bigint / 600 % 3)::int as slot, (extract(epoch from now())::bigint % 600)::int as second',
    );
    const { slot, second } = rows[0] as { slot: number; second: number };
    const sql = `insert into answer_parts (slot, request_id, part, workspace_id, state, bytes) values ($1, $2, 0, 'ws_1', 'whole', '')`;
    for (const at of [0, 1, 2]) await db.pool.query(sql, [at, `req_${at}`]);
    await forgetOldParts(db.pool);
    const left = await db.pool.query('select slot from answer_parts order by slot');
    const isNearEnd = second > 540;
    expect(left.rows.map((row) => row.slot)).toEqual([0, 1, 2].filter((at) => isNearEnd || at !== (slot + 1) % 3));
  });
});

describe('a call without its client', () => {
  test('pauses until somebody reads, and is given up when nobody does', async () => {
    const call = begin({ graceMs: 50 });
    expect(call.pause()).toBeUndefined();
    call.leave();
    const paused = call.pause()!;
    const detach = call.attach()!;
    await paused;
    expect([call.isGone, call.pause()]).toEqual([false, undefined]);
    let isGone = false;
    call.onGone = () => (isGone = true);
    detach();
    await call.pause();
    expect([call.isGone, isGone, call.attach()]).toEqual([true, true, undefined]);
    db.answers.end(call, true);
  });

  test.each([
    ['the first try', undefined, 0, 1_000],
    ['a third try, whose first two never arrived', 2, 0, 4_000],
    ['a first try that a fourth one followed', undefined, 3, 8_000],
    ['an eighth try', 7, 0, 9_000],
  ])('waits as long as its client pauses: %s', (_, retries, followed, graceMs) => {
    const timers = jest.spyOn(productGlobal, 'setTimeout');
    const call = begin({ graceMs: 1_000, ...(retries !== undefined && { retries }) });
    if (followed > 0) call.attach(followed)!();
    call.leave();
    expect(timers.mock.calls.at(-1)![1]).toBe(graceMs);
    timers.mockRestore();
    db.answers.end(call, true);
  });

  test('is found until its answer is stored', async () => {
    const call = begin({ fingerprint: 'found' });
    call.begin('{}');
    call.isWhole = true;
    db.answers.end(call, false);
    expect([...db.answers.withFingerprint(workspaceId, 'found')]).toEqual([call]);
    await until(() => db.answers.find(workspaceId, call.order.requestId) === undefined);
    expect([...db.answers.withFingerprint(workspaceId, 'found')]).toEqual([]);
    expect(await textOf(call)).toBe('{}\n');
  });
});

describe('a claim', () => {
  test('is that of the try which the database saw first, whatever its id says', async () => {
    const first = begin({ fingerprint: 'claimed', requestId: 'req_z' });
    const second = begin({ fingerprint: 'claimed', requestId: 'req_a' });
    expect(await db.answers.claim(first)).toBeUndefined();
    expect(await db.answers.claim(second)).toEqual({ requestId: 'req_z', bodyHash: null });
    expect(await db.answers.claim(begin({ fingerprint: 'claimed', workspaceId: 'ws_2' }))).toBeUndefined();
  });

  test('ends with its call', async () => {
    const first = begin({ fingerprint: 'ended' });
    await db.answers.claim(first);
    db.answers.end(first, false);
    await until(async () => (await db.answers.claim(begin({ fingerprint: 'ended' }))) === undefined);
  });

  test('of a process that was reaped goes to the next try', async () => {
    const first = begin({ fingerprint: 'reaped' });
    await db.answers.claim(first);
    await db.pool.query(`insert into processes (id, lease_until, reaped_at) values ('dead', now(), now())`);
    await db.pool.query(`update call_claims set process_id = 'dead' where fingerprint = 'reaped'`);
    const next = begin({ fingerprint: 'reaped' });
    expect(await db.answers.claim(next)).toBeUndefined();
    // The end of a call that a reaped process was still running.
    await db.answers.unclaim(first);
    const holder = { requestId: next.order.requestId, bodyHash: null };
    expect(await db.answers.claim(begin({ fingerprint: 'reaped' }))).toEqual(holder);
  });
});

test('a call is found by its own workspace alone', () => {
  const call = begin({ fingerprint: 'shared' });
  const { requestId } = call.order;
  expect([db.answers.find(workspaceId, requestId), db.answers.find('ws_2', requestId)]).toEqual([call, undefined]);
  expect(db.answers.withFingerprint(workspaceId, 'shared')).toEqual([call]);
  expect(db.answers.withFingerprint('ws_2', 'shared')).toEqual([]);
  db.answers.end(call, false);
});
