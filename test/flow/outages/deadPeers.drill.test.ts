import { afterAll, expect, test } from '@jest/globals';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { socketAt, type TestSocket } from '../../support/webSocket.ts';
import { setMoneyStage, type Account } from '../stages/moneyStage.ts';

const CREDIT_NANOS = 10_000_000_000n;
const DEAD = 20;
// A minute, and the timer delay of a busy machine.
const GONE_MS = 62_000;
const RACES = 200;

const stage = await setMoneyStage({ start: startApiProcess });
afterAll(() => stage.close());

interface Bill {
  id: string;
  status: number;
  costNanos: bigint;
}

async function billsOf({ keyId }: Account): Promise<Map<string, Bill>> {
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query('select id, status, cost_nanos from requests where key_id = $1', [keyId]);
  const bills = rows.map((row): Bill => ({ id: row.id, status: row.status, costNanos: BigInt(row.cost_nanos) }));
  return new Map(bills.map((bill) => [bill.id, bill]));
}

const open = (account: Account, options: { autoPong?: boolean } = {}) =>
  socketAt(stage.urls()[0]!, '/v1/realtime?model=gpt-realtime', { key: account.secret, ...options });

function ask(socket: TestSocket, scripted: object): void {
  const content = [{ type: 'input_text', text: JSON.stringify({ scripted }) }];
  socket.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
  socket.send({ type: 'response.create', response: { output_modalities: ['text'] } });
}

/** The number of running calls and sockets of a key, from its next call. */
async function runningOf(account: Account): Promise<number> {
  const socket = await open(account);
  socket.ws.terminate();
  return 1_000 - 1 - Number(socket.headers['x-ratelimit-remaining-concurrency']);
}

async function expectAllPaid(account: Account, bills: Map<string, Bill>): Promise<void> {
  const sum = [...bills.values()].reduce((total, { costNanos }) => total + costNanos, 0n);
  expect(await stage.balance(account)).toBe(CREDIT_NANOS - sum);
  await stage.quiet(account.accountId);
  await until(async () => (await runningOf(account)) === 0);
}

test('a peer that answers no ping in the midst of an answer is gone within a minute, and pays once', async () => {
  const account = await stage.account({ balanceNanos: CREDIT_NANOS });
  const sockets = await Promise.all(Array.from({ length: DEAD }, () => open(account, { autoPong: false })));
  for (const socket of sockets) ask(socket, { text: 'four five six. '.repeat(2_000), delayMs: 100 });
  await Promise.all(sockets.map((socket) => socket.next('response.output_text.delta')));
  const startMs = performance.now();
  await Promise.all(sockets.map(({ closed }) => closed));
  expect(performance.now() - startMs).toBeLessThan(GONE_MS);
  await until(async () => (await billsOf(account)).size === DEAD);
  const bills = await billsOf(account);
  expect([...bills.keys()].toSorted()).toEqual(
    sockets.map(({ headers }) => `${String(headers['x-request-id'])}n1`).toSorted(),
  );
  expect([...bills.values()].every(({ status, costNanos }) => status === 499 && costNanos > 0n)).toBe(true);
  await expectAllPaid(account, bills);
});

test(`a client that closes while its answer is settled pays once, what it was told (seed ${flowSeed})`, async () => {
  const random = seededRandom(flowSeed);
  const account = await stage.account({ balanceNanos: CREDIT_NANOS });
  const told = new Map<string, number>();
  const asked = new Set<string>();
  const race = async (): Promise<void> => {
    const socket = await open(account);
    const id = `${String(socket.headers['x-request-id'])}n1`;
    ask(socket, { text: 'four five six' });
    // About as long as the rest of an answer takes: before its bill, beside it, and after it.
    const waitMs = random() * 40;
    await socket.next('response.created');
    asked.add(id);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (random() < 0.5) socket.ws.terminate();
    else socket.ws.close();
    await socket.closed;
    const done = socket.events.find(({ type }) => type === 'response.done');
    if (done) told.set(id, (done.response as { usage: { cost: number } }).usage.cost);
  };
  for (let at = 0; at < RACES; at += 10) await Promise.all(Array.from({ length: 10 }, race));
  await until(async () => (await billsOf(account)).size === RACES);
  const bills = await billsOf(account);
  expect(new Set(bills.keys())).toEqual(asked);
  for (const [id, usd] of told) expect(Number(bills.get(id)!.costNanos)).toBe(Math.round(usd * 1e9));
  process.stdout.write(`${told.size} of ${RACES} had their end\n`);
  expect(told.size).toBeGreaterThan(0);
  expect(told.size).toBeLessThan(RACES);
  await expectAllPaid(account, bills);
});
