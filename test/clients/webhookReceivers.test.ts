import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { setWebhookStage } from '../flow/stages/webhookStage.ts';
import { steadyPort } from '../support/network.ts';
import { until } from '../support/until.ts';
import { readText } from '../support/sources.ts';
import { buildForTests, packedClient } from './packages/buildForTests.ts';
import { makeNpmProject, type NpmProject } from './packages/npmProject.ts';
import { hasPython } from './pythonVenv.ts';
import { installPackage, type PythonPackage } from './sdk/pythonPackage.ts';

const root = join(import.meta.dirname, '..', '..');
const children: ChildProcess[] = [];
let project: NpmProject | undefined;
let installed: PythonPackage | undefined;

const stage = await setWebhookStage({ delaysMs: [300, 300, 300, 1_000, 5_000, 20_000, 60_000] });
afterAll(async () => {
  for (const child of children) {
    child.kill();
    await once(child, 'exit');
  }
  await stage.close();
  await project?.remove();
  await installed?.remove();
});

/** A command that runs a program of the guide, and what it needs to find the package. */
type Command = [command: string, path: string, env?: Record<string, string>];

const commands: Record<string, () => Promise<Command>> = {
  Node: async () => {
    await buildForTests();
    project = await makeNpmProject(await packedClient());
    await project.write('webhook-node.mjs', readText('docs/guides/snippets/webhook-node.mjs'));
    return [process.execPath, join(project.path, 'webhook-node.mjs')];
  },
  ...(hasPython && {
    Python: async (): Promise<Command> => {
      installed = await installPackage();
      return [installed.python, join(root, 'docs/guides/snippets/webhook-python.py'), { PYTHONPATH: installed.site }];
    },
  }),
};

test.each(Object.entries(commands))('the receiver of the guide accepts our events, in %s', async (_name, make) => {
  const [command, path, more = {}] = await make();
  const [owner, port] = [await stage.makeOwner(), await steadyPort()];
  const url = `http://127.0.0.1:${port}/`;
  const endpoint = await owner.makeEndpoint({ url, event_types: ['topup.succeeded'] });
  const child = spawn(command, [path], {
    env: { ...process.env, ...more, PORT: String(port), WEBHOOK_SECRET: endpoint.secret },
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
