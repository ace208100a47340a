import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { chatBody, setMoneyStage, type Account } from '../../flow/stages/moneyStage.ts';
import { textModel } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import {
  billsOf,
  creditNanos,
  eventsIn,
  expectOneBill,
  idsIn,
  resume,
  send,
  streamBody,
  untilStored,
} from './replayStage.ts';

const text = 'A stream can be resumed after each of its events.';
let account: Account;

const stage = await setMoneyStage({ apis: 2 });
const url = stage.urls()[0]!;
beforeEach(async () => {
  stage.upstream.reset();
  account = await stage.account({ balanceNanos: creditNanos });
});
afterAll(() => stage.close());

const scripted = JSON.stringify({ scripted: { text } });
const streams = [
  { path: '/v1/chat/completions', body: streamBody(text) },
  { path: '/v1/completions', body: JSON.stringify({ model: textModel, prompt: scripted, stream: true }) },
  { path: '/v1/responses', body: JSON.stringify({ model: textModel, input: scripted, stream: true }) },
];

/** Sends a stream, and reads it to its end. */
async function streamed(order: { path?: string; body: string }) {
  const answer = await send(url, account, order);
  return { requestId: answer.headers.get('x-request-id')!, events: eventsIn(await answer.text()) };
}

describe.each(streams)('a stream of $path that has ended', (order) => {
  test('is resumed after each of its events, at any API', async () => {
    const { requestId, events } = await streamed(order);
    await untilStored(stage, requestId);
    for (let after = 0; after < events.length; after++) {
      const resumed = await resume(stage.urls()[after % 2]!, account, requestId, { after });
      const rest = await resumed.text();
      expect(eventsIn(rest)).toEqual(events.slice(after));
      expect(idsIn(rest)).toEqual(events.slice(after).map((_event, index) => after + index + 1));
    }
    expect((await resume(url, account, requestId, { after: events.length })).status).toBe(204);
    await expectOneBill(stage, account);
  });
});

describe('a resumed stream', () => {
  test('has the headers of a stream, and is named by the id of its answer too', async () => {
    const { requestId, events } = await streamed(streams[0]!);
    await untilStored(stage, requestId);
    const resumed = await resume(url, account, requestId.replace('req_', 'chatcmpl-'));
    expect(Object.fromEntries(resumed.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(eventsIn(await resumed.text())).toEqual(events);
    expect((await resume(url, account, requestId.replace('req_', 'cmpl-'))).status).toBe(404);
  });

  test.each([0, 1])('follows what is still produced, and takes over after a cut, at API %i', async (at) => {
    const leaving = new AbortController();
    const order = { body: streamBody(text, { delayMs: 40 }), signal: leaving.signal };
    const first = await send(url, account, order);
    const requestId = first.headers.get('x-request-id')!;
    const reader = first.body!.getReader();
    const read = Buffer.from((await reader.read()).value ?? []).toString();
    leaving.abort();
    const after = eventsIn(read).length;
    const resumed = await resume(stage.urls()[at]!, account, requestId, { after });
    const events = [...eventsIn(read), ...eventsIn(await resumed.text())];
    expect(events.at(-1)).toBe('data: [DONE]');
    await untilStored(stage, requestId);
    const whole = await resume(url, account, requestId);
    expect(eventsIn(await whole.text())).toEqual(events);
    expect(await expectOneBill(stage, account)).toBe(requestId);
    expect(stage.upstream.calls()[0]!.aborted).toBe(false);
  });

  test('ends with an error when its client left for good, and shows what was billed', async () => {
    const leaving = new AbortController();
    const order = { body: streamBody(text, { fault: 'stall', faultAfterChunks: 4 }), signal: leaving.signal };
    const first = await send(url, account, order);
    const requestId = first.headers.get('x-request-id')!;
    const reader = first.body!.getReader();
    let read = '';
    while (eventsIn(read).length < 4) read += Buffer.from((await reader.read()).value ?? []).toString();
    leaving.abort();
    await untilStored(stage, requestId);
    const events = eventsIn(await (await resume(url, account, requestId)).text());
    expect(events.slice(0, 4)).toEqual(eventsIn(read).slice(0, 4));
    expect(events.slice(-3)).toEqual([
      expect.stringMatching(/^data: .*stream_abandoned/),
      expect.stringMatching(/^event: error\ndata: .*stream_abandoned/),
      'data: [DONE]',
    ]);
    await until(async () => (await billsOf(stage, account)).length === 1);
  });

  test('of a response ends with the next number when its process was lost, as a retry of it does', async () => {
    const order = { ...streams[2]!, retries: 0 };
    const { requestId, events } = await streamed(order);
    await untilStored(stage, requestId);
    await stage.db.pool.query(`update answer_parts set state = 'open' where request_id = $1`, [requestId]);
    const [resumed, again] = await Promise.all([
      resume(url, account, requestId),
      send(url, account, { ...order, retries: 1 }),
    ]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    for (const answer of [resumed, again]) {
      const { length, [length - 1]: last } = eventsIn(await answer.text());
      expect([length, last]).toEqual([events.length + 1, expect.stringContaining('"code":"stream_lost"')]);
      expect(last).toContain(`"sequence_number":${events.length}}`);
    }
  });

  test.each(['nonsense', '-1', '1.5', '1e3', '1000', 'evt_1'])('is refused for the event %p', async (after) => {
    const { requestId } = await streamed(streams[0]!);
    await untilStored(stage, requestId);
    const refused = await resume(url, account, requestId, { after });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 'invalid_event_id' } }]);
  });

  test('is not found by another workspace, nor for a request that has none', async () => {
    const { requestId } = await streamed(streams[0]!);
    await untilStored(stage, requestId);
    const stranger = await stage.account({ balanceNanos: creditNanos });
    const whole = await send(url, account, { body: chatBody({ text }), retries: 0 });
    await whole.text();
    for (const [who, id] of [
      [stranger, requestId],
      [account, newId('req')],
      [account, whole.headers.get('x-request-id')!],
    ] as const) {
      const refused = await resume(url, who, id);
      expect([refused.status, await refused.json()]).toMatchObject([404, { error: { code: 'request_not_found' } }]);
    }
    expect((await resume(url, account, 'what')).status).toBe(422);
  });

  test.each(['update answer_parts set created_at = created_at', 'delete'])(
    'has expired after ten minutes (%s)',
    async (how) => {
      const { requestId } = await streamed(streams[0]!);
      await untilStored(stage, requestId);
      // Without its answer only the entry of its call says that there was one.
      await stage.db.ledger.posted();
      if (how === 'delete') await stage.db.pool.query('truncate answer_parts');
      else await stage.db.pool.query(`${how} - interval '10 minutes' where request_id = $1`, [requestId]);
      const refused = await resume(url, account, requestId);
      expect([refused.status, await refused.json()]).toMatchObject([410, { error: { code: 'event_expired' } }]);
    },
  );

  test('ends with its key', async () => {
    const order = { body: streamBody(text, { fault: 'stall', faultAfterChunks: 4 }) };
    const first = await send(url, account, order);
    const resumed = await resume(url, account, first.headers.get('x-request-id')!);
    const rest = resumed.text();
    await revokeKey(stage.db, account.keyId);
    await first.text().catch(() => {});
    expect(await rest).toContain('invalid_api_key');
  });
});
