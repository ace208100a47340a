import { afterAll, afterEach, expect, test } from '@jest/globals';
import { setGuardStage } from '../../support/guardStage.ts';
import { startRealtimeUpstream } from '../../support/realtimeUpstream.ts';
import { socketAt } from '../../support/webSocket.ts';

const path = '/textapi/v1/realtime?model=gpt-passed';
const KEY = 'sk-vendor-key-0123456789';

const upstream = await startRealtimeUpstream(KEY);
const stage = await setGuardStage({ realtime: { url: upstream.url, apiKey: KEY, usdPerMillion: { input_tokens: 4 } } });
afterEach(() => upstream.reset());
afterAll(async () => {
  await stage.close();
  await upstream.stop();
});

const sound = Buffer.alloc(4_800).toString('base64');
const written = (text: string, more: object[] = []) => [
  { type: 'message', role: 'user', content: [{ type: 'input_text', text }, ...more] },
];

async function begin() {
  const { secret, keyId } = await stage.account();
  const socket = await socketAt(stage.url, path, { key: secret });
  const tell = (items: object[]) => items.forEach((item) => socket.send({ type: 'conversation.item.create', item }));
  /** A response for which the upstream reports so many tokens of input. */
  const respond = async (inputTokens: number, response: object = {}) => {
    upstream.script.usage = { input_tokens: inputTokens, output_tokens: 30 };
    socket.send({ type: 'response.create', response });
    await socket.next('response.done');
  };
  /** The input of each response that was billed. */
  const billed = async () => {
    await stage.db.ledger.posted();
    const sql = `select (usage->>'input_tokens')::int as tokens from requests where key_id = $1
      and usage ? 'output_tokens' order by id`;
    return (await stage.db.pool.query(sql, [keyId])).rows.map(({ tokens }: { tokens: number }) => tokens);
  };
  return { ...socket, tell, respond, billed };
}

test.each([
  ['beside a sound', written('word '.repeat(8_000), [{ type: 'input_audio', audio: sound }])],
  ['in a script whose characters are several tokens', written('ꙮ'.repeat(9_000))],
])('a prompt of many tokens %s is billed as the upstream reports it', async (_, items) => {
  const { tell, respond, billed, ws } = await begin();
  tell(items);
  await respond(20_000);
  await respond(20_000, { conversation: 'none', input: items });
  expect(await billed()).toEqual([20_000, 20_000]);
  ws.close();
});

test.each([
  ['out of band', { conversation: 'none', input: written('Hi.') }],
  ['with its own input', { input: written('Hi.') }],
])('a response %s says nothing of how long the conversation is', async (_, response) => {
  const { tell, respond, billed, ws } = await begin();
  tell(written('word '.repeat(8_000)));
  await respond(50, response);
  await respond(20_000);
  expect(await billed()).toEqual([50, 20_000]);
  ws.close();
});

test('what is sent while a response runs is part of the next prompt', async () => {
  const { tell, respond, billed, ...socket } = await begin();
  Object.assign(upstream.script, { hangsAfter: 1, usage: { input_tokens: 50, output_tokens: 10 } });
  socket.send({ type: 'response.create' });
  await socket.next('response.output_audio.delta');
  tell(written('word '.repeat(8_000)));
  await socket.next('conversation.item.done');
  upstream.script.hangsAfter = Infinity;
  socket.send({ type: 'response.cancel' });
  await socket.next('response.done');
  await respond(20_000);
  expect(await billed()).toEqual([50, 20_000]);
  socket.ws.close();
});
