import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Script } from '../../../rules/scripted/script.ts';
import { makeFolder } from '../../support/folder.ts';
import { getJson } from '../../support/http.ts';
import { textModel } from '../../support/startApi.ts';
import { ask, chatBody, setMoneyStage } from '../stages/moneyStage.ts';

const model = {
  kind: 'text',
  aliases: [],
  created: 1,
  contextTokens: 8192,
  outputTokensMax: 4096,
  upstreams: [{ upstream: 'main', model: 'scripted' }],
};
const usdPerMillion = { input_tokens: 1, output_tokens: 10 };

const folder = await makeFolder();
const stage = await setMoneyStage();
const catalogFile = join(folder.path, 'catalog.json');
const tiers = { auto: 1, default: 1, flex: 0.5, priority: 2 };
const catalog = {
  agentModel: textModel,
  upstreams: {
    main: { baseUrl: stage.upstream.url, parameters: { service_tier: tiers, provider: 'forward', models: 'refuse' } },
  },
  models: [
    { ...model, id: textModel, usdPerMillion },
    {
      ...model,
      id: 'caching',
      usdPerMillion: { ...usdPerMillion, cached_input_tokens: 0.1, cache_write_tokens: 1.25 },
    },
  ],
};
await writeFile(catalogFile, JSON.stringify(catalog));
const { url } = await stage.startAnother({ MODEL_CATALOG_FILE: catalogFile });
beforeEach(() => stage.upstream.reset());
afterAll(async () => {
  await stage.close();
  await folder.remove();
});

async function askAt(script: Script, more: object = {}) {
  const account = await stage.account({ balanceNanos: 1_000_000_000n });
  const answer = await ask(url, account.secret, chatBody(script, more));
  const usage =
    answer.status === 200
      ? (
          await getJson<{ usage: { unit: string; quantity: number }[] }>(
            `${url}/platform/v1/requests/${answer.requestId}`,
            account.secret,
          )
        ).body.usage
      : [];
  await stage.quiet(account.accountId);
  return { ...answer, usage };
}

describe('parts of a prompt', () => {
  const reported = {
    prompt_tokens: 1_000,
    completion_tokens: 10,
    prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 300 },
  };

  test.each([false, true])('cost their own price when the model has one (streamed: %s)', async (stream) => {
    const { usage } = await askAt({ usage: reported }, { model: 'caching', stream });
    expect(new Map(usage.map(({ unit, quantity }) => [unit, quantity]))).toEqual(
      new Map([
        ['input_tokens', 100],
        ['cached_input_tokens', 600],
        ['cache_write_tokens', 300],
        ['output_tokens', 10],
      ]),
    );
  });

  test('cost as much as other tokens without their own price', async () => {
    const { costNanos, usage } = await askAt({ usage: reported });
    expect(usage).toEqual([
      { unit: 'input_tokens', quantity: 1_000 },
      { unit: 'output_tokens', quantity: 10 },
    ]);
    expect(costNanos).toBe(1_000_000n + 100_000n);
  });

  test('are summed to the nano-USD', async () => {
    const { costNanos } = await askAt({ usage: reported }, { model: 'caching' });
    expect(costNanos).toBe(100_000n + 60_000n + 375_000n + 100_000n);
  });
});

test('reasoning that an upstream counts beside its completion is billed as output', async () => {
  const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 60 };
  expect((await askAt({ usage })).costNanos).toBe(10_000n + 500_000n);
});

describe('a parameter that changes the price', () => {
  const usage = { prompt_tokens: 100, completion_tokens: 10 };
  const plainNanos = 200_000n;

  test.each([
    ['auto', plainNanos],
    ['default', plainNanos],
    ['flex', plainNanos / 2n],
    ['priority', plainNanos * 2n],
  ])('multiplies it: service_tier %s', async (service_tier, nanos) => {
    expect(await askAt({ usage }, { service_tier })).toMatchObject({ status: 200, costNanos: nanos });
    expect(stage.upstream.calls()[0]!.body).toMatchObject({ service_tier });
  });

  test.each([
    ['models', { models: ['dear'] }],
    ['plugins', { plugins: [{ id: 'web' }] }],
    ['service_tier', { service_tier: 'scale' }],
    ['service_tier', { service_tier: 'constructor' }],
  ])('is refused by name before anything runs: %s', async (param, more) => {
    const { status, text } = await askAt({ usage }, more);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'unsupported_parameter', param } });
    expect(stage.upstream.calls()).toEqual([]);
  });

  test('is refused by the routes that name it, and forwarded by the others: web_search_options', async () => {
    const { secret } = await stage.account({ balanceNanos: 1_000_000_000n });
    const send = (path: string, body: object) =>
      fetch(`${url}/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: textModel, web_search_options: {}, ...body }),
      });
    expect((await send('chat/completions', { messages: [{ role: 'user', content: 'Hello' }] })).status).toBe(400);
    expect((await send('responses', { input: 'Hello' })).status).toBe(400);
    expect((await send('completions', { prompt: 'Hello' })).status).toBe(200);
    expect(stage.upstream.calls().map(({ body }) => body)).toMatchObject([{ web_search_options: {} }]);
  });

  test('is forwarded when the catalogue says so, as any other parameter', async () => {
    const more = { provider: { order: ['a'] }, top_k: 4, transforms: [] };
    expect(await askAt({ usage }, more)).toMatchObject({ status: 200, costNanos: plainNanos });
    expect(stage.upstream.calls()[0]!.body).toMatchObject(more);
  });
});
