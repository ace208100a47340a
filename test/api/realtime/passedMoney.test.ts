import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { balanceOf } from '../../support/account.ts';
import { setGuardStage } from '../../support/guardStage.ts';
import { startRealtimeUpstream } from '../../support/realtimeUpstream.ts';
import { until } from '../../support/until.ts';
import { socketAt } from '../../support/webSocket.ts';

const path = '/textapi/v1/realtime?model=gpt-passed';
const KEY = 'sk-vendor-key-0123456789';
const CREDIT_NANOS = 1_000_000_000n;
const TOKEN_NANOS = 24_000n;
const CHARACTER_NANOS = 15_000n;
// The double says three words, 14 characters, in 600 ms of sound: in tokens of 4 characters, and of 50 ms.
const ESTIMATED_TOKENS = 4n + 12n;

const upstream = await startRealtimeUpstream(KEY);
const usdPerMillion = { input_tokens: 4 };
const stage = await setGuardStage({
  realtime: { url: upstream.url, apiKey: KEY, usdPerMillion },
  env: { METRICS_PORT: '0' },
});
afterEach(() => upstream.reset());
afterAll(async () => {
  await stage.close();
  await upstream.stop();
});

async function begin(balanceNanos = CREDIT_NANOS) {
  const account = await stage.account({ balanceNanos });
  const socket = await socketAt(stage.url, path, { key: account.secret });
  await socket.next('session.created');
  return { ...socket, ...account };
}

interface Bill {
  usage: Record<string, number>;
  cost_nanos: string;
  written_off_nanos: string;
}

async function billsOf(keyId: string): Promise<Bill[]> {
  await stage.db.ledger.posted();
  const sql = 'select usage, cost_nanos, written_off_nanos from requests where key_id = $1 order by id';
  return (await stage.db.pool.query(sql, [keyId])).rows as Bill[];
}

describe('a usage that cannot be is not believed: a response is billed by what has passed', () => {
  test.each([
    ['ten million tokens', { total_tokens: 10_000_100, input_tokens: 100, output_tokens: 10_000_000 }],
    ['more than there is money', { total_tokens: 1e15, input_tokens: 100, output_tokens: 1e15 }],
    ['more than can be counted', { total_tokens: 9e15, input_tokens: 9e15, output_tokens: 9e15 }],
    ['a prompt that was not sent', { input_tokens: 31_000, output_tokens: 30 }],
    ['four times what has passed, and more', { input_tokens: 100, output_tokens: 3_000 }],
    ['nothing', { total_tokens: 0, input_tokens: 0, output_tokens: 0 }],
    ['less than nothing', { input_tokens: -5, output_tokens: -30 }],
    ['texts', { input_tokens: '100', output_tokens: '30' }],
    ['a list', [1, 2, 3]],
    ['a text', 'thirty'],
    ['no output', { input_tokens: 100 }],
  ])('%s', async (_, usage) => {
    upstream.script.usage = usage;
    const socket = await begin();
    socket.send({ type: 'response.create' });
    const { response } = await socket.next('response.done');
    expect(response).toMatchObject({ status: 'completed' });
    const nanos = ESTIMATED_TOKENS * TOKEN_NANOS + 14n * CHARACTER_NANOS;
    const [bill] = await billsOf(socket.keyId);
    expect(bill!.usage).toMatchObject({ output_tokens: Number(ESTIMATED_TOKENS), output_characters: 14 });
    // And for what the client itself has sent.
    expect(bill!.usage.input_tokens).toBeLessThan(50);
    const inputNanos = BigInt(bill!.usage.input_tokens!) * 4_000n;
    expect(await balanceOf(stage.db, socket.workspaceId)).toBe(CREDIT_NANOS - nanos - inputNanos);
    socket.ws.close();
  });

  test('and the next response is not held for it', async () => {
    upstream.script.usage = { total_tokens: 9e15, input_tokens: 100, output_tokens: 30 };
    const socket = await begin();
    for (let responses = 0; responses < 2; responses += 1) {
      socket.send({ type: 'response.create' });
      expect((await socket.next('response.done')).response).toMatchObject({ status: 'completed' });
    }
    socket.ws.close();
  });
});

test('operators see how many calls of a model had such a usage', async () => {
  upstream.script.usage = {};
  const socket = await begin();
  socket.send({ type: 'response.create' });
  await socket.next('response.done');
  socket.ws.close();
  const line = stage.api.lines.find((text) => text.includes('"event":"metrics"'));
  const { port } = JSON.parse(line!) as { port: number };
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(text).toMatch(/ledgerline_implausible_usage\{model="passed-realtime"\} \d+/);
});

describe('money that ends in a response', () => {
  test.each([
    ['ends it there, and what was sent is what is billed', { hangsAfter: 150 }],
    ['ends it there although the upstream goes on', { isDeaf: true }],
    ['ends it there although the upstream never ends', { isDeaf: true, hangsAfter: 300 }],
  ])('%s', async (_, script) => {
    Object.assign(upstream.script, { text: 'word '.repeat(400), ...script });
    const socket = await begin(20_000_000n);
    socket.send({ type: 'response.create' });
    expect((await socket.closed).code).toBe(1008);
    expect(socket.events.at(-1)).toMatchObject({ error: { code: 'insufficient_balance' } });
    const done = socket.events.filter(({ type }) => type === 'response.done');
    expect(done).toHaveLength(1);
    const deltas = socket.events.filter(({ type }) => type.endsWith('transcript.delta'));
    const characters = deltas.map(({ delta }) => String(delta)).join('').length;
    expect(characters).toBeGreaterThan(50);
    expect(characters).toBeLessThan(400);
    const [bill] = await billsOf(socket.keyId);
    expect(bill).toMatchObject({ written_off_nanos: '0', usage: { output_characters: characters } });
    expect(BigInt(bill!.cost_nanos)).toBeGreaterThan(10_000_000n);
  });
});

test('a response that the upstream begins twice is one call', async () => {
  upstream.script.repeatsCreated = true;
  const socket = await begin();
  socket.send({ type: 'response.create' });
  await socket.next('response.done');
  socket.send({ type: 'response.create' });
  await socket.next('response.done');
  expect(socket.events.filter(({ type }) => type === 'response.created')).toHaveLength(2);
  const [bill, next, ...others] = await billsOf(socket.keyId);
  expect([bill, next, others]).toMatchObject([
    { usage: { output_characters: 14 } },
    { usage: { output_characters: 14 } },
    [],
  ]);
  socket.ws.close();
});

test('a client that leaves while its next response waits for money leaves none of it held', async () => {
  upstream.script.hangsAfter = 1;
  // Enough for one response at a time.
  const socket = await begin(6_000_000n);
  socket.send({ type: 'response.create' });
  await socket.next('response.output_audio.delta');
  socket.send({ type: 'response.create' });
  socket.ws.close();
  await until(async () => (await billsOf(socket.keyId)).length === 2);
  const [first, next] = await billsOf(socket.keyId);
  expect([Number(first!.cost_nanos) > 0, next!.cost_nanos]).toEqual([true, '0']);
  const sql = `select from holds where state = 'open' and kind = 'request' and key_id = $1`;
  await until(async () => (await stage.db.pool.query(sql, [socket.keyId])).rowCount === 0);
});
