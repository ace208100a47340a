import { afterAll, expect, test } from '@jest/globals';
import { readConfig } from '../../engines/config.ts';
import { ModelHost } from '../../engines/modelHost.ts';
import { startServer } from '../../engines/server.ts';
import { makeFolder } from '../support/folder.ts';

const folder = await makeFolder();
const config = readConfig({ DATA_DIR: folder.path, EMBEDDED_PORT: '0' });
// A process that ends fetches nothing.
const host = new ModelHost(config, { onProgress: () => {}, signal: AbortSignal.abort() });
const server = await startServer(host, config);
afterAll(async () => {
  await server.drain(0);
  await host.close();
  await folder.remove();
});

const ask = (path: string, init?: RequestInit) => fetch(`${server.url}/engines/${path}`, init);
const asJson = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };

test('an engine is described with the machine, and its fetch is ordered and cancelled', async () => {
  const described = (await (await ask('qwen2.5-coder-1.5b')).json()) as object;
  expect(described).toMatchObject({
    state: 'absent',
    bytes: 0,
    machine: {
      cores: expect.any(Number),
      memory_available_bytes: expect.any(Number),
      disk_available_bytes: expect.any(Number),
    },
  });
  for (const init of [asJson, { method: 'DELETE' }])
    expect(await (await ask('qwen2.5-coder-1.5b/fetch', init)).json()).toMatchObject({ state: 'absent' });
});

test('a form of another site’s page orders nothing, and an unknown engine is not found', async () => {
  const form = await ask('qwen2.5-coder-1.5b/fetch', { method: 'POST', body: new URLSearchParams({ a: 'b' }) });
  expect(form.status).toBe(400);
  expect((await ask('other/fetch', asJson)).status).toBe(404);
});
