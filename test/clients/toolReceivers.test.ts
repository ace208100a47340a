import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { setPublisherStage } from '../api/publisher/publisherStage.ts';
import { read } from '../support/http.ts';
import { steadyPort } from '../support/network.ts';
import { until } from '../support/until.ts';
import { hasPython, installVenv } from './pythonVenv.ts';

const root = join(import.meta.dirname, '..', '..');
const children: ChildProcess[] = [];

const env = { WEBHOOK_LOOPBACK: 'on' };
const stage = await setPublisherStage({ env, webhookSending: { allowPrivate: 'loopback' } });
afterAll(async () => {
  for (const child of children) {
    child.kill();
    await once(child, 'exit');
  }
  await stage.close();
});

const commands: Record<string, () => Promise<[string, string]>> = {
  Node: async () => [process.execPath, 'tool-node.mjs'],
  ...(hasPython && {
    Python: async (): Promise<[string, string]> => [await installVenv('venv', 'requirements.txt'), 'tool-python.py'],
  }),
};

interface Test {
  id: string;
  request: { body: string };
  response: { status: number } | null;
  progress: object[];
  result: { text: string; is_error: boolean };
}

test.each(Object.entries(commands))('the tool of the guide answers our calls, in %s', async (name, make) => {
  const [command, file] = await make();
  const port = await steadyPort();
  const url = `http://127.0.0.1:${port}/`;
  const input_schema = { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] };
  const tool = { name: 'find_order', description: 'Finds an order.', input_schema, url };
  const agent = await stage.makeAgent({ http_tools: [tool] });
  const path = `/v1/publisher/agents/${agent.id}/http_tools`;
  const { secret } = await read<{ secret: string }>(stage.call(`${path}/secret`, { method: 'POST' }), 200);
  const child = spawn(command, [join(root, 'docs/guides/snippets', file)], {
    env: { ...process.env, PORT: String(port), TOOL_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const isListening = () =>
    fetch(url, { method: 'POST', body: '{}' }).then(
      ({ status }) => status === 400,
      () => false,
    );
  await until(isListening, { timeoutMs: 60_000 });
  const body = { name: 'find_order', arguments: { order: 'A-1001' } };
  const sent = await read<Test>(stage.call(`${path}/test`, { body }), 200);
  expect(sent.response?.status).toBe(200);
  expect(sent.result.is_error).toBe(false);
  expect(JSON.parse(sent.result.text)).toEqual({ order: 'A-1001', state: 'shipped' });
  expect(sent.progress).toEqual(name === 'Node' ? [{ message: 'Looking it up', percentage: 50 }] : []);
  await until(() => printed.includes(`${sent.id} find_order`));
  const timestamp = String(Math.floor(Date.now() / 1000));
  const forged = { 'webhook-id': sent.id, 'webhook-timestamp': timestamp, 'webhook-signature': 'v1,Zm9yZ2Vk' };
  expect((await fetch(url, { method: 'POST', headers: forged, body: sent.request.body })).status).toBe(400);
});
