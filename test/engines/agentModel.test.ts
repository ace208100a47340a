import { afterAll, expect, test } from '@jest/globals';
import { mkdir } from 'node:fs/promises';
import { createAgentModel } from '../../engines/agentModel.ts';
import { engineFolder } from '../../engines/fetching/engine.ts';
import { qwenCoder } from '../../engines/fetching/textEngines.ts';
import { makeFolder } from '../support/folder.ts';

const config = { threads: 1, queueMax: 1, agentModel: undefined };

const folder = await makeFolder();
afterAll(() => folder.remove());

const refusal = (message: string | RegExp) =>
  expect.objectContaining({ status: 503, code: 'model_unavailable', message: expect.stringMatching(message) });

// Another model's answers would be billed at this model's prices.
test('a model that was not fetched is refused with how to get it, and nothing answers in its place', async () => {
  const agents = createAgentModel({ ...config, dataDir: folder.path });
  expect(agents.describe()).toMatchObject({ state: 'absent', bytes: 0, message: null });
  await expect(agents.engine()).rejects.toEqual(refusal(/in the console, .* EMBEDDED_AGENT_MODEL=/));
});

test('a fetch is not begun while the process ends, and the configuration begins none without naming the model', async () => {
  const stopped = { onProgress: () => {}, signal: AbortSignal.abort() };
  const agents = createAgentModel({ ...config, agentModel: 'qwen2.5-coder-1.5b', dataDir: folder.path }, stopped);
  await agents.fetchChosen();
  expect(agents.describe().state).toBe('absent');
  const others = createAgentModel({ ...config, dataDir: folder.path });
  await others.fetchChosen();
  expect(others.describe().state).toBe('absent');
});

test('a fetch that is cancelled leaves the model absent, and can begin again', async () => {
  const agents = createAgentModel({ ...config, dataDir: folder.path });
  const first = agents.fetch();
  expect(agents.describe().state).toBe('fetching');
  await expect(agents.engine()).rejects.toEqual(refusal(/./));
  await agents.cancel();
  await first;
  expect(agents.describe()).toMatchObject({ state: 'absent', message: null });
});

test('files that cannot be loaded are refused with the reason by the call that would load them', async () => {
  const own = await makeFolder();
  await mkdir(engineFolder(own.path, qwenCoder), { recursive: true });
  const agents = createAgentModel({ ...config, dataDir: own.path });
  expect(agents.describe().state).toBe('fetched');
  await expect(agents.engine()).rejects.toEqual(refusal(/./));
  await own.remove();
});
