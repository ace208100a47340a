import { afterAll, expect, test } from '@jest/globals';
import { createServer, connect, type AddressInfo, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import { responseIdOf } from '../../../calls/text/responseId.ts';
import { startApiProcess, textModel } from '../../support/startApi.ts';
import { flowSeed, repetitions, seededRandom } from '../../support/random.ts';
import { setMoneyStage } from '../stages/moneyStage.ts';

// Each call is retried until it is answered; about half of the tries are cut.
const calls = repetitions(300);
const together = 8;
const cutShare = 0.5;
const creditNanos = 100_000_000_000n;
const text = 'An answer that is cut on its way and paid for once.';

// A stream whose client does not come back in time is billed as far as it came. The time of a busy machine decides nothing here.
const stage = await setMoneyStage({ apis: 2, start: startApiProcess, env: { RESUME_GRACE_MS: '5000' } });
const proxy = await startRandomCuts(stage.urls());
afterAll(async () => {
  await proxy.close();
  await stage.close();
});

/** A proxy to several APIs in turn that cuts some connections: before the answer, at its first byte, or in the middle of it. */
async function startRandomCuts(urls: string[]) {
  const random = seededRandom(flowSeed);
  const counts = { tries: 0, cuts: 0 };
  const server: Server = createServer((client) => {
    const { port, hostname: host } = new URL(urls[counts.tries++ % urls.length]!);
    const api = connect({ port: Number(port), host });
    const cut = () => {
      client.destroy();
      api.destroy();
    };
    client.on('error', cut).on('close', () => api.destroy());
    api.on('error', cut).on('close', () => client.destroy());
    client.pipe(api);
    if (random() >= cutShare) return void api.pipe(client);
    counts.cuts += 1;
    const kind = random();
    if (kind < 0.4) client.once('data', () => setTimeout(cut, random() * 150));
    else api.once('data', cut);
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

test(`a client that retries through a proxy that cuts answers pays each call once (seed ${flowSeed})`, async () => {
  const account = await stage.account({ balanceNanos: creditNanos, rpmLimit: 100_000, concurrencyLimit: 1_000 });
  const fetchAnew: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set('connection', 'close');
    return fetch(url, { ...init, headers });
  };
  const client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: account.secret, maxRetries: 30, fetch: fetchAnew });
  const ids = new Set<string>();
  const failures: unknown[] = [];
  let next = 0;

  async function ask(number: number): Promise<void> {
    const script = { text: `${text} ${number}`, headDelayMs: (number % 5) * 40 };
    const messages = [{ role: 'user' as const, content: JSON.stringify({ scripted: script }) }];
    const order = { model: textModel, messages };
    if (number % 2 === 0) {
      const answer = await client.chat.completions.create(order);
      expect(answer.choices[0]!.message.content).toBe(script.text);
      ids.add(answer.id);
      return;
    }
    let heard = '';
    for await (const { id, choices } of await client.chat.completions.create({ ...order, stream: true })) {
      heard += choices[0]?.delta.content ?? '';
      ids.add(id);
    }
    expect(heard).toBe(script.text);
  }

  async function askInTurn(): Promise<void> {
    while (next < calls) await ask(next++).catch((error: unknown) => failures.push(error));
  }
  await Promise.all(Array.from({ length: together }, askInTurn));
  await sleep(1_000);
  await stage.db.ledger.posted();
  const sql = 'select id, cancelled, settled_at from requests where key_id = $1 and cost_nanos > 0';
  const { rows: bills } = await stage.db.pool.query<{ id: string; cancelled: boolean }>(sql, [account.keyId]);
  process.stdout.write(`${proxy.counts.tries} tries, ${proxy.counts.cuts} cut, ${bills.length} bills of ${calls}\n`);
  expect(failures).toEqual([]);
  const unheard = ({ id }: { id: string }) => !ids.has(responseIdOf('/v1/chat/completions', id)!);
  expect(bills.filter(unheard)).toEqual([]);
  expect(proxy.counts.tries).toBeGreaterThanOrEqual(calls * 1.5);
  expect([ids.size, bills.length]).toEqual([calls, calls]);
  await stage.quiet(account.accountId);
});
