import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { chatBody, setMoneyStage, type Account } from '../../flow/stages/moneyStage.ts';
import { refundAnswers } from '../../../db/ledger/sweep.ts';
import { until } from '../../support/until.ts';
import { billsOf, creditNanos, eventsIn, expectOneBill, resume, send, streamBody } from './replayStage.ts';

let account: Account;

const stage = await setMoneyStage({ apis: 2 });
const url = stage.urls()[0]!;
beforeEach(async () => {
  stage.upstream.reset();
  account = await stage.account({ balanceNanos: creditNanos });
});
afterAll(() => stage.close());

const body = chatBody({ text: 'An answer that is paid for once.' });

describe('a retry of a finished call', () => {
  test.each([0, 1])('gets its answer again, byte for byte, with one bill, from API %i', async (at) => {
    const first = await send(url, account, { body, retries: 0 });
    const text = await first.text();
    const again = await send(stage.urls()[at]!, account, { body, retries: 1 });
    expect(await again.text()).toBe(text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    for (const name of ['x-request-id', 'x-cost-usd', 'content-type', 'content-length'])
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(await expectOneBill(stage, account)).toBe(first.headers.get('x-request-id'));
    expect(stage.upstream.calls()).toHaveLength(1);
  });

  test('is counted in the request', async () => {
    const first = await send(url, account, { body, retries: 0 });
    await first.text();
    for (const retries of [1, 2]) await (await send(url, account, { body, retries })).text();
    const path = `/platform/v1/requests/${first.headers.get('x-request-id')}`;
    const read = await fetch(url + path, { headers: { authorization: `Bearer ${account.secret}` } });
    expect(await read.json()).toMatchObject({ attempts: 1, retries: 2 });
  });

  test('gets a stream from its start', async () => {
    const order = streamBody('Every word of this stream comes again.');
    const text = await (await send(url, account, { body: order, retries: 0 })).text();
    const again = await send(url, account, { body: order, retries: 1 });
    expect(await again.text()).toBe(text);
    expect(again.headers.get('content-type')).toContain('text/event-stream');
    expect(eventsIn(text).length).toBeGreaterThan(5);
    await expectOneBill(stage, account);
  });

  test.each([
    { what: 'with another body', more: { body: chatBody({ text: 'Another answer.' }), retries: 1 } },
    { what: 'that is a first try itself', more: { body, retries: 0 } },
    { what: 'without any mark', more: { body } },
  ])('runs anew for a request $what', async ({ more }) => {
    await (await send(url, account, { body, retries: 0 })).text();
    const other = await send(url, account, more);
    expect(other.headers.get('idempotent-replayed')).toBeNull();
    await other.text();
    expect(await billsOf(stage, account)).toHaveLength(2);
  });

  test('runs anew ten minutes later', async () => {
    await (await send(url, account, { body, retries: 0 })).text();
    await stage.db.pool.query(`update answer_parts set created_at = created_at - interval '10 minutes'`);
    await (await send(url, account, { body, retries: 1 })).text();
    expect(await billsOf(stage, account)).toHaveLength(2);
  });
});

describe('an answer whose bill is refunded, because it did not reach its client,', () => {
  const refund = (id: string) => refundAnswers(stage.db.pool, [{ id, hold: 'none' }]);

  test('is not given to a retry afterwards, nor resumed', async () => {
    const order = streamBody('A stream that was refunded.');
    for (const [sent, key] of [
      [body, 'refunded-answer'],
      [order, 'refunded-stream'],
    ] as const) {
      const first = await send(url, account, { body: sent, key });
      const requestId = first.headers.get('x-request-id')!;
      await first.text();
      await stage.db.ledger.posted();
      await refund(requestId);
      const again = await send(stage.urls()[1]!, account, { body: sent, key });
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
      await again.text();
      expect((await resume(url, account, requestId)).status).toBeGreaterThanOrEqual(400);
    }
    // Each is billed once, for its second answer.
    expect(await billsOf(stage, account)).toHaveLength(2);
  });

  test('stays billed when a retry has got it before', async () => {
    const first = await send(url, account, { body, key: 'delivered-later' });
    const requestId = first.headers.get('x-request-id')!;
    await first.text();
    const again = await send(url, account, { body, key: 'delivered-later' });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    await stage.db.ledger.posted();
    await refund(requestId);
    await expectOneBill(stage, account);
  });
});

test('two equal first tries at once are two calls, and the retry of either gets an answer of them', async () => {
  const slow = chatBody({ text: 'Asked twice.', headDelayMs: 300 });
  const first = [0, 1].map((at) => send(stage.urls()[at]!, account, { body: slow, retries: 0 }));
  const ids = await Promise.all(first.map(async (sent) => (await sent).headers.get('x-request-id')));
  expect(new Set(ids).size).toBe(2);
  expect(await billsOf(stage, account)).toHaveLength(2);
  const again = await send(url, account, { body: slow, retries: 1 });
  expect(ids).toContain(again.headers.get('x-request-id'));
  await again.text();
  expect(await billsOf(stage, account)).toHaveLength(2);
});

describe('a retry of a running call', () => {
  const slow = chatBody({ text: 'A slow answer.', headDelayMs: 600 });

  test.each([0, 1])('waits for its answer, with one bill, at API %i', async (at) => {
    const leaving = new AbortController();
    const first = send(url, account, { body: slow, retries: 0, signal: leaving.signal }).catch(() => {});
    await until(() => stage.upstream.calls().length === 1);
    leaving.abort();
    await first;
    const again = await send(stage.urls()[at]!, account, { body: slow, retries: 1 });
    expect(again.status).toBe(200);
    expect(again.headers.get('x-request-id')).toBe(await expectOneBill(stage, account));
    expect(stage.upstream.calls()).toHaveLength(1);
  });

  test.each([0, 1])('follows its stream from the first event, with one bill, at API %i', async (at) => {
    const order = streamBody('A stream whose client comes back before its first word.', { delayMs: 60 });
    const leaving = new AbortController();
    const first = send(url, account, { body: order, retries: 0, signal: leaving.signal }).catch(() => {});
    await until(() => stage.upstream.calls().length === 1);
    leaving.abort();
    await first;
    const again = await send(stage.urls()[at]!, account, { body: order, retries: 1 });
    const events = eventsIn(await again.text());
    expect(events.at(-1)).toBe('data: [DONE]');
    expect(events.join('')).toContain('first');
    await expectOneBill(stage, account);
    expect(stage.upstream.calls()).toHaveLength(1);
  });

  test('is no failure when its client disconnects too', async () => {
    const first = send(url, account, { body: slow, retries: 0 });
    await until(() => stage.upstream.calls().length === 1);
    const leaving = new AbortController();
    const again = send(url, account, { body: slow, retries: 1, signal: leaving.signal }).catch(() => {});
    // Answered after the retry has begun to wait.
    const other = chatBody({}, { model: 'none' });
    expect((await send(url, account, { body: other })).status).toBe(404);
    leaving.abort();
    await Promise.all([again, (await first).text()]);
    expect((await send(url, account, { body: chatBody({}, { model: 'none either' }) })).status).toBe(404);
    const refused = async () =>
      (await stage.db.pool.query('select status from refused_calls where key_id = $1', [account.keyId])).rows;
    await until(async () => (await refused()).length > 1);
    expect(await refused()).toEqual([{ status: 404 }, { status: 404 }]);
  });

  test('is one call for several retries at once, at both APIs', async () => {
    const tries = [0, 1, 0, 1].map((at) => send(stage.urls()[at]!, account, { body: slow, retries: 1 }));
    const texts = await Promise.all(tries.map(async (sent) => (await sent).text()));
    expect(new Set(texts).size).toBe(1);
    await expectOneBill(stage, account);
  });
});

test('a retry of a call that has failed runs anew', async () => {
  const failing = chatBody({ status: 500 });
  const first = await send(url, account, { body: failing, retries: 0 });
  expect(first.status).toBe(502);
  const again = await send(url, account, { body: failing, retries: 1 });
  expect(again.status).toBe(502);
  expect(stage.upstream.calls()).toHaveLength(2);
  expect(await billsOf(stage, account)).toEqual([]);
});

test('a client that does not come back pays for its prompt alone', async () => {
  const leaving = new AbortController();
  const order = streamBody('Nobody reads this to its end.', { delayMs: 500 });
  const first = await send(url, account, { body: order, retries: 0, signal: leaving.signal });
  await first.body!.getReader().read();
  leaving.abort();
  await until(() => stage.upstream.calls()[0]!.aborted);
  await until(async () => (await billsOf(stage, account)).length === 1);
  expect(await billsOf(stage, account)).toMatchObject([{ status: 499 }]);
  await stage.quiet(account.accountId);
});

describe('an Idempotency-Key', () => {
  test('makes any request repeatable', async () => {
    const first = await send(url, account, { body, key: 'my-key-of-a-chat' });
    const again = await send(stage.urls()[1]!, account, { body, key: 'my-key-of-a-chat' });
    expect(await again.text()).toBe(await first.text());
    await expectOneBill(stage, account);
  });

  test('of another request is refused', async () => {
    await (await send(url, account, { body, key: 'my-key-of-two' })).text();
    const other = await send(url, account, { body: chatBody({ text: 'Another.' }), key: 'my-key-of-two' });
    expect([other.status, await other.json()]).toMatchObject([409, { error: { code: 'idempotency_conflict' } }]);
    expect(other.headers.get('x-should-retry')).toBe('false');
    await expectOneBill(stage, account);
  });

  test('that is too short is refused by name', async () => {
    const refused = await send(url, account, { body, key: 'short' });
    expect([refused.status, await refused.json()]).toMatchObject([422, { error: { param: 'idempotency-key' } }]);
  });
});
