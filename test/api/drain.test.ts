import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Agent, request } from 'node:http';
import { ask, chatBody, chatPath, setGuardStage, told, type GuardStage } from '../support/guardStage.ts';
import { openSocket } from '../support/rawHttp.ts';
import { startOwnClock } from '../support/ownClock.ts';
import { until } from '../support/until.ts';

let stage: GuardStage;

beforeAll(async () => {
  stage = await setGuardStage();
});
afterAll(() => stage?.close());

const words = (count: number) => told({ text: 'word '.repeat(count), delayMs: 25 });

/** What is held, in nano-USD, and how many processes still own holds. */
async function held() {
  const { rows } = await stage.db.pool.query(
    `select coalesce(sum(amount_nanos), 0)::bigint as nanos, count(*)::int as count from holds where state = 'open'`,
  );
  return { nanos: BigInt(rows[0].nanos), count: rows[0].count as number };
}

test('a process that is asked to end takes no more calls, ends those that run, returns what it holds, and exits 0', async () => {
  const { secret, keyId } = await stage.account();
  const headers = { 'x-api-key': secret };
  const api = await stage.startAnother();
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
  const elapsedMs = startOwnClock();
  expect(await api.exited).toBe('exited with code 0');
  expect(elapsedMs()).toBeLessThan(5_000);
  idle.destroy();

  expect(await held()).toEqual({ nanos: 0n, count: 0 });
  const { rows } = await stage.db.pool.query('select status from requests where key_id = $1', [keyId]);
  expect(rows.map(({ status }) => status)).toEqual([200, 200]);
});

test('a client that keeps its connection open does not keep the process', async () => {
  const { secret } = await stage.account();
  const api = await stage.startAnother();
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
  const elapsedMs = startOwnClock();
  expect(await answered).toBe(200);
  expect(await api.exited).toBe('exited with code 0');
  expect(elapsedMs()).toBeLessThan(8_000);
  agent.destroy();
});

async function accepts(url: string): Promise<boolean> {
  try {
    return (await ask(url, '/healthz')).ok;
  } catch {
    return false;
  }
}
