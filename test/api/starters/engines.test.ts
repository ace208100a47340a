import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EngineReport } from '../../../providers/fetchedEngines.ts';
import { codeOf } from '../../support/guardStage.ts';
import { read } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { setCatalogStage } from '../catalog/catalogStage.ts';

const at = '/console/v1/catalog';
const name = 'qwen2.5-coder-1.5b';
const machine = {
  cores: 2,
  threads: 1,
  memory_bytes: 8e9,
  memory_available_bytes: 6e9,
  disk_available_bytes: 50e9,
};
const absent: EngineReport = { state: 'absent', message: null, bytes: 0, whole_bytes: 1_000, machine };

/** What the double of the model's process says, and which orders it got. */
let report = absent;
const orders: string[] = [];
/** Answers that wait, once it is set. */
let held: (() => void)[] | undefined;
const modelProcess = createServer(({ method, url }, response) => {
  if (method !== 'GET') orders.push(`${method} ${url}`);
  if (method === 'POST') report = { ...report, state: 'fetching', bytes: 250 };
  if (method === 'DELETE') report = absent;
  const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(report));
  if (method === 'GET' && held) held.push(answer);
  else answer();
});
await new Promise<void>((resolve) => modelProcess.listen(0, '127.0.0.1', resolve));
const { port } = modelProcess.address() as AddressInfo;
const upstreams = { local: { baseUrl: `http://127.0.0.1:${port}/v1` } };
const priced = { input_tokens: 0.3, output_tokens: 2.5 };
const model = { id: name, kind: 'text', aliases: [], created: 1, usdPerMillion: priced };
const stage = await setCatalogStage({
  upstreams,
  models: [{ ...model, upstreams: [{ upstream: 'local', model: name }] }],
});
afterAll(async () => {
  await stage.close();
  modelProcess.closeAllConnections();
  await new Promise((resolve) => modelProcess.close(resolve));
});
beforeEach(() => {
  report = absent;
  orders.length = 0;
});

interface EngineBody {
  state: string;
  percentage: number;
  message: string | null;
}

interface AgentsBody {
  model: string;
  chosen_by: string | null;
  awaited: { model: string } | null;
}

const fetched = (method: string, body?: object) =>
  stage.call(`${at}/engines/${name}/fetch`, { method, ...(body && { body }) });
const agents = async () => (await read<{ agents: AgentsBody }>(stage.call(`${at}/starters`))).agents;

test('an engine is offered with what it needs, and the machine that it would run on', async () => {
  const { engines } = await read<{ engines: object[] }>(stage.call(`${at}/starters`));
  expect(engines).toEqual([
    expect.objectContaining({
      name,
      model: name,
      state: 'absent',
      disk_bytes: 1_117_320_768,
      memory_bytes: 2_500_000_000,
      measured: expect.objectContaining({ tokens_per_second: expect.any(Number) }),
      machine,
    }),
  ]);
});

test('agents use a fetched model from the moment in which it answers, without another request', async () => {
  const before = (await agents()).model;
  expect(await read<EngineBody>(fetched('POST', { use_for_agents: true }), 202)).toMatchObject({
    state: 'fetching',
    percentage: 25,
  });
  expect(await agents()).toMatchObject({ model: before, awaited: { model: name } });
  report = { ...report, state: 'ready' };
  await until(async () => (await agents()).model === name);
  expect(await agents()).toMatchObject({ chosen_by: 'Ada', awaited: null });
  expect(orders).toEqual([`POST /v1/engines/${name}/fetch`]);
  await read(stage.call(`${at}/agent-model`, { method: 'DELETE' }));
});

test('a fetch that ended with its process begins again; one that failed waits for an operator', async () => {
  await read(fetched('POST', { use_for_agents: true }), 202);
  report = absent;
  await until(() => Promise.resolve(orders.length === 2));
  report = { ...report, state: 'failed', message: 'No way.' };
  expect(await read<EngineBody>(fetched('GET'))).toMatchObject({ state: 'failed', message: 'No way.' });
  expect(orders).toHaveLength(2);
  await read(fetched('DELETE'));
});

test('a cancelled fetch leaves agents as they were', async () => {
  await read(fetched('POST', { use_for_agents: true }), 202);
  expect(await read<EngineBody>(fetched('DELETE'))).toMatchObject({ state: 'absent' });
  expect((await agents()).awaited).toBeNull();
  expect(orders.at(-1)).toBe(`DELETE /v1/engines/${name}/fetch`);
});

test('a look from before a cancellation begins no fetch', async () => {
  await read(fetched('POST', { use_for_agents: true }), 202);
  held = [];
  await until(() => Promise.resolve(held!.length > 0));
  await read(fetched('DELETE'));
  const waiting = held;
  held = undefined;
  for (const answer of waiting) answer();
  // Of which no look begins a fetch by itself.
  report = { ...absent, state: 'failed' };
  await read(fetched('POST', { use_for_agents: true }), 202);
  expect(orders.map((order) => order.split(' ')[0])).toEqual(['POST', 'DELETE', 'POST']);
  await read(fetched('DELETE'));
});

test('a model that is there already is used at once', async () => {
  report = { ...absent, state: 'ready' };
  await read(fetched('POST', { use_for_agents: true }), 202);
  expect(await agents()).toMatchObject({ model: name, awaited: null });
  await read(stage.call(`${at}/agent-model`, { method: 'DELETE' }));
});

test('a full disk is refused before anything is fetched', async () => {
  report = { ...absent, machine: { ...machine, disk_available_bytes: 1e9 } };
  const refused = await fetched('POST', {});
  expect([refused.status, await codeOf(refused)]).toEqual([409, 'disk_full']);
  expect(orders).toEqual([]);
});
