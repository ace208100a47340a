import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { newId } from '../../../db/ids.ts';
import type { Script } from '../../../rules/scripted/script.ts';
import { countPromptTokens, countTokens } from '../../../providers/metering/tokens.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { chatBody, priceNanos, setMoneyStage, worstCaseNanos, type Account } from '../stages/moneyStage.ts';

const random = seededRandom(flowSeed);
const text = 'A stream that somebody leaves is billed for its prompt and for every token that was produced until then.';
const creditNanos = 1_000_000_000n;

const stage = await setMoneyStage();
const tokens = await countTokens(text);
beforeEach(() => stage.upstream.reset());
afterAll(() => stage.close());

interface Visit {
  account: Account;
  body: string;
  sent: ClientRequest;
}

/** Sends a request on a separate connection. `user` identifies the call at the upstream. */
async function visit(script: Script, more: object, account?: Account): Promise<Visit> {
  account ??= await stage.account({ balanceNanos: creditNanos });
  const body = chatBody({ text, ...script }, { ...more, user: account.keyId });
  const headers = { authorization: `Bearer ${account.secret}`, 'content-type': 'application/json' };
  const sent = request(`${stage.urls()[0]}/v1/chat/completions`, { method: 'POST', headers, agent: false });
  sent.on('error', () => {});
  sent.end(body);
  return { account, body, sent };
}

const callOf = ({ account }: Visit) => stage.upstream.calls().find((call) => call.body.user === account.keyId);

/** Reads until this many chunks with content have arrived. */
async function readChunks(sent: ClientRequest, chunks: number): Promise<void> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  let read = '';
  response.setEncoding('utf8').on('data', (piece: string) => (read += piece));
  await until(() => read.split('"content":"').length - 1 >= chunks + 1);
}

/** Disconnects, and checks that its upstream call is aborted and that the bill equals the upstream's output. */
async function disconnectAndCheck(visited: Visit, producedTokens: number): Promise<void> {
  visited.sent.destroy();
  await until(() => callOf(visited)?.endedAt !== undefined);
  expect(callOf(visited)!.aborted).toBe(true);
  expect(callOf(visited)!.outputTokens).toBe(producedTokens);
  await expectBill(visited, producedTokens);
}

async function expectBill({ account, body }: Visit, outputTokens: number): Promise<void> {
  const inputTokens = await countPromptTokens(JSON.parse(body) as Record<string, unknown>);
  await until(async () => (await requestsOf(account)).length === 1);
  const costNanos = priceNanos({ inputTokens, outputTokens });
  expect(await requestsOf(account)).toEqual([{ status: 499, cancelled: true, cost_nanos: String(costNanos) }]);
  expect(await stage.balance(account)).toBe(creditNanos - costNanos);
  await stage.quiet(account.accountId);
}

async function requestsOf({ keyId }: Account): Promise<unknown[]> {
  await stage.db.ledger.posted();
  const sql = 'select status, cancelled, cost_nanos from requests where key_id = $1';
  return (await stage.db.pool.query(sql, [keyId])).rows;
}

describe('a client that disconnects from a stream', () => {
  test('before its first byte pays only for the prompt', async () => {
    const visited = await visit({ headDelayMs: 5_000 }, { stream: true });
    await until(() => callOf(visited)?.body.user !== undefined);
    await disconnectAndCheck(visited, 0);
  });

  test('after the first token, while more are in transit, pays for one', async () => {
    const visited = await visit({ delayMs: 2_000 }, { stream: true });
    await readChunks(visited.sent, 1);
    await disconnectAndCheck(visited, 1);
  });

  test('before the last chunk pays for all tokens', async () => {
    const visited = await visit({ fault: 'stall', faultAfterChunks: tokens + 1 }, { stream: true });
    await readChunks(visited.sent, tokens);
    await disconnectAndCheck(visited, tokens);
  });

  test('at any other point pays for what was produced until then', async () => {
    const points = Array.from({ length: 10 }, () => 1 + Math.floor(random() * (tokens - 1)));
    await Promise.all(
      points.map(async (point) => {
        const visited = await visit({ fault: 'stall', faultAfterChunks: point + 1 }, { stream: true });
        await readChunks(visited.sent, point);
        await disconnectAndCheck(visited, point);
      }),
    );
  });

  test('of two choices pays for both, counted separately', async () => {
    const visited = await visit({ fault: 'stall', faultAfterChunks: 2 + 14 }, { stream: true, n: 2 });
    await readChunks(visited.sent, 14);
    await disconnectAndCheck(visited, 14);
  });
});

test('a client that disconnects from a whole answer pays for the prompt', async () => {
  const visited = await visit({ headDelayMs: 5_000 }, {});
  await until(() => callOf(visited)?.body.user !== undefined);
  await disconnectAndCheck(visited, 0);
});

test('a client that disconnects while it waits for money pays nothing, and its call never starts', async () => {
  // Enough for the prompt and a few tokens of one call.
  const balanceNanos = worstCaseNanos(chatBody({ text }, { stream: true, user: newId('key') }), 8);
  const account = await stage.account({ balanceNanos });
  let timesScarce = 0;
  stage.db.notices.listen((notice) => {
    if (notice.kind === 'scarce' && notice.accountId === account.accountId) timesScarce += 1;
  });
  // Longer than any call waits for money.
  const running = await visit({ headDelayMs: 3_000, status: 500 }, {}, account);
  await until(() => callOf(running) !== undefined && timesScarce === 1);
  const waiting = await visit({}, { stream: true }, account);
  await until(() => timesScarce === 2);
  waiting.sent.destroy();
  // The API has noticed the disconnect once it has answered a later request.
  await fetch(`${stage.urls()[0]}/healthz`);
  await stage.topUp(account, newId('pay'), creditNanos);
  const isOver = (line: string) => line.includes(account.keyId) && line.includes('"msg":"request');
  await until(() => stage.running[0]!.lines.filter(isOver).length === 2);
  // Calls that got money in time have a row, which depends on the machine; other calls have none.
  const rows = new Set((await requestsOf(account)).map((row) => JSON.stringify(row)));
  for (const status of [502, 499]) rows.delete(JSON.stringify({ status, cancelled: status === 499, cost_nanos: '0' }));
  expect([...rows]).toEqual([]);
  expect(stage.upstream.calls()).toHaveLength(1);
  expect(await stage.balance(account)).toBe(creditNanos + balanceNanos);
  await stage.quiet(account.accountId);
});
