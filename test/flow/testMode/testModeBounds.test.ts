import { afterAll, expect, test } from '@jest/globals';
import { embeddingModel, textModel } from '../../support/startApi.ts';
import { setMoneyStage } from '../stages/moneyStage.ts';

const stage = await setMoneyStage();
const live = await stage.account({ scopes: ['manage'] });
const { key } = (await call(live.secret, '/console/v1/keys', { name: 'ci', mode: 'test' })).body as { key: string };
await call(key, '/platform/v1/billing/checkout', { amount: 10 });
afterAll(() => stage.close());

async function call(
  secret: string,
  path: string,
  body?: object,
  headers: object = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(stage.urls()[0] + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const messages = [{ role: 'user', content: 'A list, please.' }];
const ask = (more: object) => call(key, '/v1/chat/completions', { model: textModel, messages, ...more });

const nested = (depth: number): object =>
  depth === 0 ? { type: 'string' } : { type: 'array', minItems: 100, items: nested(depth - 1) };
const schema = { type: 'object', properties: { list: nested(8) }, required: ['list'] };

test.each<[param: string, code: string, body: object]>([
  ['tools', 'invalid_json_schema', { tools: [{ type: 'function', function: { name: 'list', parameters: schema } }] }],
  [
    'response_format',
    'invalid_json_schema',
    { response_format: { type: 'json_schema', json_schema: { name: 'list', schema } } },
  ],
  ['messages', 'context_length_exceeded', { messages: [{ role: 'user', content: 'a'.repeat(2_100_000) }] }],
])(
  'a test call whose %s ask for too much is refused for nothing, and others are answered',
  async (param, code, body) => {
    const balance = () => call(key, '/platform/v1/billing/balance');
    const before = await balance();
    expect(await ask(body)).toMatchObject({ status: 400, body: { error: { code, param } } });
    expect((await balance()).body).toEqual(before.body);
    expect((await ask({})).status).toBe(200);
  },
);

test.each<[path: string, param: string, body: object]>([
  ['chat/completions', 'messages', { model: textModel, messages }],
  ['responses', 'input', { model: textModel, input: 'A list, please.' }],
  ['completions', 'prompt', { model: textModel, prompt: 'A list:' }],
  ['embeddings', 'input', { model: embeddingModel, input: 'A list.' }],
])('a refusal that a test call of %s asked for names its %s', async (path, param, body) => {
  const refused = await call(key, `/v1/${path}`, body, { 'x-test-fault': 'upstream_refusal' });
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'test_refusal', param } } });
});
