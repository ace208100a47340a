import { afterAll, expect, test } from '@jest/globals';
import { setGuardStage } from '../../support/guardStage.ts';
import { embeddingModel, textModel } from '../../support/startApi.ts';

const stage = await setGuardStage();
const { secret } = await stage.account();
const headers = { authorization: `Bearer ${secret}` };
afterAll(() => stage.close());

const messages = [{ role: 'user', content: 'Hello' }];

interface Usage {
  cost?: number;
}

/** The usage at the end of an answer, whole or streamed. */
function usageIn(text: string): Usage | undefined {
  if (text.startsWith('{')) return (JSON.parse(text) as { usage: Usage }).usage;
  const events = text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as { usage?: Usage; response?: { usage: Usage } });
  const { usage, response } = events.at(-1)!;
  return usage ?? response?.usage;
}

test.each([
  ['chat/completions', { model: textModel, messages }],
  ['chat/completions', { model: textModel, messages, stream: true, stream_options: { include_usage: true } }],
  ['completions', { model: textModel, prompt: 'Hello' }],
  ['completions', { model: textModel, prompt: 'Hello', stream: true, stream_options: { include_usage: true } }],
  ['responses', { model: textModel, input: 'Hello' }],
  ['responses', { model: textModel, input: 'Hello', stream: true }],
  ['embeddings', { model: embeddingModel, input: 'Hello' }],
])("the usage of %s %j has the ledger's cost", async (path, body) => {
  const response = await stage.ask(`/v1/${path}`, { headers, body: JSON.stringify(body) });
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: 200 });
  const id = response.headers.get('x-request-id')!;
  const request = await (await stage.ask(`/platform/v1/requests/${id}`, { headers })).json();
  expect((request as { cost_usd: number }).cost_usd).toBeGreaterThan(0);
  expect(usageIn(text)?.cost).toBe((request as { cost_usd: number }).cost_usd);
});
