import { afterAll, describe, expect, test } from '@jest/globals';
import { Agent, request } from 'node:http';
import { ask, chatBody, chatPath, setGuardStage, told } from '../support/guardStage.ts';
import { openSocket } from '../support/http.ts';
import { until } from '../support/until.ts';
import { socketAt } from '../support/webSocket.ts';

const stage = await setGuardStage();
afterAll(() => stage.close());

const words = (count: number) => told({ text: 'word '.repeat(count), delayMs: 25 });

/** The held amount in nano-USD, and the number of processes that own holds. */
async function held() {
  const { rows } = await stage.db.pool.query(
    `select coalesce(sum(amount_nanos), 0)::bigint as nanos, count(*)::int as count from holds where state = 'open'`,
  );
  return { nanos: BigInt(rows[0].nanos), count: rows[0].count as number };
}

// Ten minutes, so that a process that exits during the test has not waited for its grace period.
const patient = { SHUTDOWN_GRACE_MS: '600000' };

test('on SIGTERM the process refuses new calls, finishes running ones, returns its holds and exits 0', async () => {
  const { secret, keyId } = await stage.account();
  const headers = { 'x-api-key': secret };
  const api = await stage.startAnother(patient);
  const idle = await openSocket(api.url);
  const stream = await ask(api.url, chatPath, {
    headers,
    body: chatBody({ stream: true, stream_options: { include_usage: true }, messages: words(40) }),
  });
  const whole = ask(api.url, chatPath, { headers, body: chatBody({ messages: told({ headDelayMs: 600 }) }) });
  await until(() => stage.upstream.calls().length === 2);

  process.kill(api.pid, 'SIGTERM');
  await until(async () => !(await accepts(api.url)));
  expect((await whole).status).toBe(200);
  const text = await stream.text();
  expect(text.match(/word/g)).toHaveLength(40);
  expect(text).toMatch(/data: \[DONE\]\n\n$/);
  expect(await api.exited).toBe('exited with code 0');
  idle.destroy();

  expect(await held()).toEqual({ nanos: 0n, count: 0 });
  const { rows } = await stage.db.pool.query('select status from requests where key_id = $1', [keyId]);
  expect(rows.map(({ status }) => status)).toEqual([200, 200]);
});

test('a client that keeps its connection open does not delay the exit', async () => {
  const { secret } = await stage.account();
  const api = await stage.startAnother(patient);
  const agent = new Agent({ keepAlive: true });
  const options = { agent, method: 'POST', headers: { 'x-api-key': secret, 'content-type': 'application/json' } };
  const callsBefore = stage.upstream.calls().length;
  const answered = new Promise<number>((resolve, reject) => {
    const sent = request(api.url + chatPath, options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode!));
    });
    sent.on('error', reject).end(chatBody({ messages: told({ headDelayMs: 300 }) }));
  });
  await until(() => stage.upstream.calls().length > callsBefore);
  process.kill(api.pid, 'SIGTERM');
  expect(await answered).toBe(200);
  expect(await api.exited).toBe('exited with code 0');
  agent.destroy();
});

describe('when the grace period is over, the process', () => {
  const streams = 40;

  interface Chunk {
    choices: { delta: { content?: string }; finish_reason: string | null }[];
    usage?: { completion_tokens: number } | null;
  }

  test('cuts running calls: streams get a last frame and pay for what was delivered, whole answers are 503', async () => {
    const { secret, keyId } = await stage.account();
    const headers = { 'x-api-key': secret };
    const api = await stage.startAnother({ SHUTDOWN_GRACE_MS: '300', DEFAULT_CONCURRENCY_LIMIT: '100' });
    const include = { stream: true, stream_options: { include_usage: true } };
    const callsBefore = stage.upstream.calls().length;
    const open = await Promise.all(
      Array.from({ length: streams }, () => {
        const body = chatBody({ ...include, messages: told({ text: ' word'.repeat(20_000), delayMs: 20 }) });
        return ask(api.url, chatPath, { headers, body });
      }),
    );
    const silent = await ask(api.url, chatPath, {
      headers,
      body: chatBody({ ...include, messages: told({ fault: 'stall', faultAfterChunks: 1 }) }),
    });
    const whole = ask(api.url, chatPath, { headers, body: chatBody({ messages: told({ headDelayMs: 60_000 }) }) });
    const texts = open.map(() => '');
    const read = open.map(async ({ body }, at) => {
      for await (const part of body!.pipeThrough(new TextDecoderStream())) texts[at] += part;
    });
    await until(() => stage.upstream.calls().length === callsBefore + streams + 2);
    // A stream that has delivered nothing fails like a whole answer.
    await until(() => texts.every((text) => text.includes(' word')));
    process.kill(api.pid, 'SIGTERM');
    await Promise.all(read);

    let delivered = 0;
    for (const text of texts) {
      // A slow machine may cause a keep-alive comment.
      const frames = text.split('\n\n').filter((frame) => frame.startsWith('data: '));
      expect(frames.at(-1)).toBe('data: [DONE]');
      const chunks = frames.slice(0, -1).map((frame) => JSON.parse(frame.slice('data: '.length)) as Chunk);
      expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe('length');
      const said = chunks.flatMap(({ choices }) => choices[0]?.delta.content || []);
      const { completion_tokens: tokens } = chunks.at(-1)!.usage!;
      // Each chunk of this upstream is one token.
      expect(tokens).toBe(said.length);
      delivered += tokens;
    }
    const failed = await silent.text();
    expect(failed).toContain('"code":"overloaded"');
    expect(failed).toMatch(/data: \[DONE\]\n\n$/);
    expect((await whole).status).toBe(503);
    expect(await api.exited).toBe('exited with code 0');

    await stage.db.ledger.posted();
    const { rows } = await stage.db.pool.query(BILLED, [keyId]);
    expect(rows).toEqual([
      { status: 200, requests: streams, tokens: delivered, isFree: false },
      { status: 503, requests: 2, tokens: 0, isFree: true },
    ]);
    expect(await held()).toEqual({ nanos: 0n, count: 0 });
  });

  const BILLED = `
    select status, count(*)::int as requests, sum((usage ->> 'output_tokens')::int)::int as tokens, sum(cost_nanos) = 0 as "isFree"
    from requests where key_id = $1 group by 1 order by 1`;
});

test('a shutdown reports not ready before it refuses connections, and keeps none open', async () => {
  const api = await stage.startAnother({ SHUTDOWN_NOTICE_MS: '5000' });
  const ready = await ask(api.url, '/readyz');
  expect([ready.status, ready.headers.get('connection')]).toEqual([200, 'keep-alive']);
  await ready.text();
  process.kill(api.pid, 'SIGTERM');
  await until(async () => {
    const response = await ask(api.url, '/readyz');
    await response.text();
    return response.status === 503 && response.headers.get('connection') === 'close';
  });
  expect((await ask(api.url, '/healthz')).status).toBe(200);
  expect(await api.exited).toBe('exited with code 0');
});

async function accepts(url: string): Promise<boolean> {
  try {
    return (await ask(url, '/healthz')).ok;
  } catch {
    return false;
  }
}

test.each([
  ['stream-input', '/voiceapi/v1/text-to-speech/alloy/stream-input', { code: 1001, error: 'overloaded' }],
  ['realtime', '/v1/realtime?model=gpt-realtime', { type: 'error', error: { code: 'overloaded' } }],
])('on SIGTERM an idle socket of %s is told with the code that it is closed with', async (_, path, last) => {
  const { secret } = await stage.account();
  const api = await stage.startAnother(patient);
  const socket = await socketAt(api.url, path, { key: secret });
  process.kill(api.pid, 'SIGTERM');
  expect(await socket.closed).toMatchObject({ code: 1001, reason: expect.stringMatching(/Try again shortly\.$/) });
  expect(socket.events.at(-1)).toMatchObject(last);
  expect(await api.exited).toBe('exited with code 0');
});
