import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, test } from '@jest/globals';
import { keepUntilAnswered, runInTimeShare, takeLargeTurn } from '../../../api/body/largeBodies.ts';
import { chatBody, chatPath, codeOf, setGuardStage } from '../../support/guardStage.ts';
import { openSocket, readRaw } from '../../support/http.ts';
import { until } from '../../support/until.ts';

const MIB = 1024 * 1024;
const stage = await setGuardStage();
afterAll(() => stage.close());

/** Sends the head of a request and this much of its body. Returns the answer, while the rest is unsent. */
async function begin(path: string, secret: string, head: string, sent = ''): Promise<Socket> {
  const socket = await openSocket(stage.api.url);
  socket.on('error', () => {});
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Api-Key: ${secret}\r\n${head}\r\n\r\n${sent}`,
  );
  return socket;
}

describe('the body of an account without money', () => {
  test.each([
    ['/v1/chat/completions', 60_000_000],
    ['/v1/chat/completions', MIB + 1],
    ['/textapi/v1/responses', 60_000_000],
    ['/v1/mcp', 60_000_000],
    ['/a2a/message:send', 60_000_000],
    ['/v1/embeddings', 4_000_000],
    ['/v1/completions', 4_000_000],
    ['/v1/runs', 4_000_000],
    ['/voiceapi/v1/text-to-speech/voice', 4_000_000],
  ])('of more than 1 MiB is not read: %s, %d', async (path, bytes) => {
    const { secret } = await stage.account({ scopes: ['llm', 'voice', 'agents'], balanceNanos: 0n });
    const answer = await readRaw(await begin(path, secret, `Content-Length: ${bytes}`, '{"model": 7'));
    expect([answer.status, answer.body]).toEqual([402, expect.stringContaining('insufficient_balance')]);
  });

  test('is asked for after the key and the scope', async () => {
    const head = 'Content-Length: 60000000';
    expect((await readRaw(await begin(chatPath, 'sk_live_unknown', head))).status).toBe(401);
    const { secret } = await stage.account({ scopes: ['voice'], balanceNanos: 0n });
    expect((await readRaw(await begin(chatPath, secret, head))).status).toBe(403);
  });

  test('of unknown length is read up to 1 MiB', async () => {
    const { secret } = await stage.account({ balanceNanos: 0n });
    const chunk = `${(64 * 1024).toString(16)}\r\n${' '.repeat(64 * 1024)}\r\n`;
    const socket = await begin(chatPath, secret, 'Transfer-Encoding: chunked', chunk.repeat(17));
    expect((await readRaw(socket)).status).toBe(402);
  });

  test('is validated first when it is small', async () => {
    const { secret } = await stage.account({ balanceNanos: 0n });
    const response = await stage.ask(chatPath, { headers: { 'x-api-key': secret }, body: '{"model": 7}' });
    expect([response.status, await codeOf(response)]).toEqual([400, 'invalid_type']);
  });
});

test('one large body of a workspace is read at a time, beside those of other workspaces and small ones', async () => {
  const [account, other] = [await stage.account(), await stage.account()];
  const photo = { url: `data:image/jpeg;base64,${'A'.repeat(1_500_000)}` };
  const body = chatBody({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: photo }] }] });
  const head = `Content-Type: application/json\r\nContent-Length: ${body.length}`;
  const first = await begin(chatPath, account.secret, head, body.slice(0, MIB));
  // The first has the turn once its beginning is on disk.
  await until(() => readdirSync(tmpdir()).some((name) => name.startsWith(`ledgerline-bodies-${process.pid}-`)));
  const order: string[] = [];
  const note = async (name: string, answer: ReturnType<typeof readRaw>) => {
    const { status } = await answer;
    order.push(`${name} ${status}`);
  };
  const [second, third] = [
    await begin(chatPath, account.secret, head, body),
    await begin(chatPath, other.secret, head, body),
  ];
  const later = note('second', readRaw(second));
  await note('other', readRaw(third));
  const small = await stage.ask(chatPath, { headers: { 'x-api-key': account.secret }, body: chatBody() });
  expect([small.status, order]).toEqual([200, ['other 200']]);
  const earlier = note('first', readRaw(first));
  first.write(body.slice(MIB));
  await Promise.all([earlier, later]);
  expect(order.toSorted()).toEqual(['first 200', 'other 200', 'second 200']);
});

test('a body whose client disconnects while it waits to be parsed is in use no more', async () => {
  const { workspaceId, secret } = await stage.account();
  const gate = Promise.withResolvers<void>();
  const blocked = runInTimeShare(
    workspaceId,
    () => gate.promise,
    () => {},
  );
  const body = chatBody({ messages: [{ role: 'user', content: 'A'.repeat(1_500_000) }] });
  const head = `Content-Type: application/json\r\nContent-Length: ${body.length}`;
  let answer: ServerResponse | undefined;
  const note = (begun: unknown) => (answer = (begun as { response: ServerResponse }).response);
  subscribe('http.server.request.start', note);
  const socket = await begin(chatPath, secret, head, body);
  const spooled = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`ledgerline-bodies-${process.pid}-`));
  await until(() => spooled().length > 0);
  // The next large body has its turn once this one has arrived.
  (await takeLargeTurn(workspaceId))();
  socket.destroy();
  await until(() => answer!.destroyed);
  unsubscribe('http.server.request.start', note);
  gate.resolve();
  await blocked;
  await until(() => spooled().length === 0);
  const next = new EventEmitter() as EventEmitter & ServerResponse;
  expect(() => keepUntilAnswered(next, workspaceId, 256 * MIB)).not.toThrow();
  next.emit('close');
});

test('turns follow each other, also after one that failed, and too many waiting are refused', async () => {
  const end = await takeLargeTurn('ws_1');
  const turns = Array.from({ length: 100 }, () => takeLargeTurn('ws_1'));
  await expect(takeLargeTurn('ws_1')).rejects.toMatchObject({ status: 503, code: 'overloaded' });
  (await takeLargeTurn('ws_2'))();
  end();
  for (const turn of turns) (await turn)();
  (await takeLargeTurn('ws_1'))();
});
