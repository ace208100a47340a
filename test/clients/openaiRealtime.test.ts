import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { makeCertificate } from '../support/certificate.ts';
import { makeFolder } from '../support/folder.ts';
import { setGuardStage } from '../support/guardStage.ts';
import { until } from '../support/until.ts';

// The client supports only wss:.
const identity = makeCertificate();

const folder = await makeFolder();
const [TLS_CERT_FILE, TLS_KEY_FILE] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
await Promise.all([writeFile(TLS_CERT_FILE, identity.cert), writeFile(TLS_KEY_FILE, identity.key)]);
// There is no upstream: test keys' sessions do not reach it.
const realtime = { url: 'ws://127.0.0.1:1/v1', apiKey: 'none' };
const stage = await setGuardStage({ realtime, env: { TLS_CERT_FILE, TLS_KEY_FILE, TLS_PORT: '0' } });
const line = () => stage.api.lines.find((text) => text.includes('"url":"https:'));
await until(() => line() !== undefined);
const { url } = JSON.parse(line()!) as { url: string };
afterAll(async () => {
  await stage.close();
  await folder.remove();
});

async function connect(model = 'gpt-realtime', by = stage.account()): Promise<OpenAIRealtimeWS> {
  const { secret } = await by;
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: secret });
  const realtime = new OpenAIRealtimeWS({ model, options: { ca: identity.cert } }, client);
  await new Promise((resolve, reject) => {
    realtime.once('session.created', resolve);
    realtime.once('error', reject);
  });
  return realtime;
}

async function close(realtime: OpenAIRealtimeWS): Promise<void> {
  const closed = once(realtime.socket, 'close');
  realtime.close();
  await closed;
}

test.each([
  ['with a live key', 'gpt-realtime', false],
  ['with a test key, where an upstream would lead the session', 'gpt-passed', true],
])('OpenAI’s realtime client for Node gets a spoken answer with its transcript %s', async (_, model, isTest) => {
  const realtime = await connect(model, stage.account({ isTest }));
  let bytes = 0;
  let transcript = '';
  realtime.on('response.output_audio.delta', ({ delta }) => (bytes += Buffer.from(delta, 'base64').length));
  realtime.on('response.output_audio_transcript.delta', ({ delta }) => (transcript += delta));
  const done = new Promise<OpenAI.Realtime.ResponseDoneEvent>((resolve) => realtime.once('response.done', resolve));
  const text = JSON.stringify({ scripted: { text: 'Hello there.' } });
  realtime.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  });
  realtime.send({ type: 'response.create' });
  const { response } = await done;
  expect([response.status, transcript]).toEqual(['completed', 'Hello there.']);
  expect(bytes).toBeGreaterThan(10_000);
  await close(realtime);
});

test('an error reaches it with the id of its event', async () => {
  const realtime = await connect();
  const failed = new Promise<{ error?: { code?: string | null; event_id?: string | null } }>((resolve) =>
    realtime.once('error', (error) => resolve(error as never)),
  );
  realtime.send({ type: 'conversation.item.delete', item_id: 'item_none', event_id: 'mine' });
  expect((await failed).error).toMatchObject({ code: 'item_not_found', event_id: 'mine' });
  await close(realtime);
});
