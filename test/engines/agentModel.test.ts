import { expect, test } from '@jest/globals';
import { createAgentModel } from '../../engines/agentModel.ts';
import { makeFolder } from '../support/folder.ts';

const config = { threads: 1, queueMax: 1 };

test('a model that was not chosen is refused with what to set', async () => {
  const folder = await makeFolder();
  const agents = createAgentModel({ ...config, agentModel: undefined, dataDir: folder.path });
  expect(() => agents.engine()).toThrow(
    expect.objectContaining({ status: 503, message: expect.stringContaining('set EMBEDDED_AGENT_MODEL=') }),
  );
  await folder.remove();
});

// Another model's answers would be billed at this model's prices.
test('a model that is not loaded is refused with the reason, and nothing answers in its place', async () => {
  const folder = await makeFolder();
  const agents = createAgentModel({ ...config, agentModel: 'qwen2.5-coder-1.5b', dataDir: folder.path });
  const refusal = (message: string) => expect.objectContaining({ status: 503, code: 'model_unavailable', message });
  expect(() => agents.engine()).toThrow(refusal('The model is being loaded.'));
  await agents.load(() => {}, AbortSignal.abort());
  expect(() => agents.engine()).toThrow(refusal('The model is being loaded.'));
  await folder.remove();
});
