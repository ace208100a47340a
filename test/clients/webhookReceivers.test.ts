import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setWebhookStage, type WebhookStage } from '../flow/webhookStage.ts';
import { steadyPort } from '../support/network.ts';
import { until } from '../support/until.ts';
import { hasPython, installVenv } from './pythonVenv.ts';

const root = join(import.meta.dirname, '..', '..');
const children: ChildProcess[] = [];
let stage: WebhookStage;

beforeAll(async () => {
  stage = await setWebhookStage({ delaysMs: [300, 300, 300, 1_000, 5_000, 20_000, 60_000] });
}, 600_000);
afterAll(async () => {
  for (const child of children) {
    child.kill();
    await once(child, 'exit');
  }
  await stage?.close();
});

const commands: Record<string, () => Promise<[string, string]>> = {
  Node: async () => [process.execPath, 'webhook-node.mjs'],
  ...(hasPython && {
    Python: async (): Promise<[string, string]> => [await installVenv('venv', 'requirements.txt'), 'webhook-python.py'],
  }),
};

test.each(Object.entries(commands))('the receiver of the guide accepts our events, in %s', async (_name, make) => {
  const [command, file] = await make();
  const [owner, port] = [await stage.makeOwner(), await steadyPort()];
  const url = `http://127.0.0.1:${port}/`;
  const endpoint = await owner.makeEndpoint({ url, event_types: ['topup.succeeded'] });
  const child = spawn(command, [join(root, 'docs/guides/snippets', file)], {
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: endpoint.secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const id = await owner.record('topup.succeeded', { amount_usd: '25' });
  const isDelivered = async () => (await owner.deliveriesOf(endpoint))[0]?.status === 'delivered';
  await until(isDelivered, { timeoutMs: 60_000 });
  await until(() => printed.includes(`${id} topup.succeeded`));
  const { request_body: body } = (await owner.deliveriesOf(endpoint))[0]!;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const forged = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': 'v1,Zm9yZ2Vk' };
  expect((await fetch(url, { method: 'POST', headers: forged, body })).status).toBe(400);
});
