import { afterAll, describe, expect, test } from '@jest/globals';
import { closedBody, closedQuery } from '../../api/body/closedRoute.ts';
import { documentOf, routes } from '../support/everyRoute.ts';
import { setGuardStage, type ErrorBody } from '../support/guardStage.ts';
import { textModel } from '../support/startApi.ts';

interface SentSchema {
  $ref?: string;
  properties?: object;
  additionalProperties?: unknown;
}
interface SentBody {
  content: Record<string, { schema?: SentSchema }>;
}

const { paths, components } = documentOf(routes);

const emptying = new Set<unknown>(['/v1/models', '/v1/runs'].map(closedBody));
const open = closedQuery('/v1/models');

const stage = await setGuardStage();
const scopes = ['llm', 'voice', 'batch', 'publisher', 'manage', 'agents', 'contents'];
const key = (await stage.account({ creditUsd: '1', rpmLimit: 10_000, scopes })).secret;
afterAll(() => stage.close());

const refusalOf = async (path: string, method = 'GET', body?: string) => {
  const response = await stage.ask(path, { method, headers: { 'x-api-key': key }, body });
  const { error } = (await response.json()) as ErrorBody;
  return { status: response.status, code: error.code, param: error.param };
};

const withIds = (path: string) =>
  path.replaceAll(/\{(\w+)\}|:(\w+)/g, (_, shown?: string, own?: string) => `${shown ?? own}_1`);

const isOpenAi = (path: string) =>
  /^\/textapi\/|^\/v1\/(responses|embeddings|batches|models|uploads)|requests\/[^/]+\/stream/.test(path);
const refusalIn = (path: string, param: string) =>
  isOpenAi(path)
    ? { status: 400, code: 'unsupported_parameter', param }
    : { status: 422, code: 'validation_error', param };

/** Every number among the document's query parameters: its method, path and name. */
const numbers = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    ((operation.parameters ?? []) as { name: string; in: string; schema?: { type?: string } }[])
      .filter(({ in: place, schema }) => place === 'query' && /^(integer|number)$/.test(schema?.type ?? ''))
      .filter(() => !/^\/(a2a|console)\//.test(path))
      .map(({ name }) => [method, path, name] as const),
  ),
);

describe('numbers of a query', () => {
  test('are in the document', () => expect(numbers.length).toBeGreaterThan(30));

  test.each(numbers.filter(([method]) => method === 'get'))('are decimal digits: %s %s %s', async (_, path, name) => {
    // A price may have a fraction and an exponent.
    const wrong = ['0x5', '%205', '5%20', '', '+5', '0b1', '5.', ...(name === 'max_cost_usd' ? [] : ['1e1', '5.0'])];
    for (const text of wrong) {
      const { status, param } = await refusalOf(`${withIds(path)}?${name}=${text}`);
      expect({ text, status, param }).toEqual({ text, status: isOpenAi(path) ? 400 : 422, param: name });
    }
  });

  test('are refused in the words of each family', async () => {
    const [openAi, other] = await Promise.all(
      ['/textapi/v1/batches?limit=0x5', '/v1/runs?limit=0x5'].map(async (path) => {
        const response = await stage.ask(path, { headers: { 'x-api-key': key } });
        return ((await response.json()) as ErrorBody).error.message;
      }),
    );
    expect(openAi).toBe("Invalid type for 'limit': expected an integer, but got a string instead.");
    expect(other).toContain('unable to parse string as an integer');
  });
});

/** Routes without a body that need a key or a session, except those of the accounts library. */
const bodiless = routes.filter(
  ({ method, path, guards }) =>
    (method === 'GET' || method === 'DELETE') &&
    guards.length > 0 &&
    !/^\/console\/|^\/a2a\/|\/realtime$|stream-input$/.test(path) &&
    // First they say that another member is missing.
    !/\/platform\/v1\/(search|usage\/export)$/.test(path) &&
    `${method} ${path}` !== 'DELETE /v1/memories',
);

/** Whether a route is one of OpenAI's or ElevenLabs', which ignore members that they do not know. */
const isVendors = ({ path, guards }: (typeof routes)[number]) =>
  guards.some((one) => one === open) || /^\/(textapi|v1)\/(v1\/)?(batches|files|responses)(\/|$)/.test(path);

describe('members of a query that a route does not know', () => {
  test('are refused by name by every own route without a body', async () => {
    const own = bodiless.filter((route) => !isVendors(route));
    const answers = await Promise.all(
      own.map(async ({ method, path }) => ({
        path,
        ...(await refusalOf(`${withIds(path)}?surprise=1`, method)),
      })),
    );
    expect(answers.length).toBeGreaterThan(70);
    expect(answers).toEqual(own.map(({ path }) => ({ path, ...refusalIn(path, 'surprise') })));
  });

  test('are read by exactly one guard of every route with guards', () => {
    const readers = routes.map(({ method, path, guards }) => ({
      route: `${method} ${path}`,
      count: guards.filter(({ readsQuery }) => readsQuery).length,
      isOpen: guards.every(({ refusals }) => refusals.length === 0),
    }));
    expect(readers.filter(({ count, isOpen }) => count !== 1 && !isOpen)).toEqual([]);
  });

  test.each([
    ['/v1/runs', '{"agent":"a/b","input":"Hi"}'],
    ['/voiceapi/v1/text-to-speech/alloy', '{"text":"Hi"}'],
    ['/platform/v1/billing/checkout', '{"amount":5}'],
  ])('are refused by POST %s', async (path, body) => {
    expect(await refusalOf(`${path}?surprise=1`, 'POST', body)).toEqual(refusalIn(path, 'surprise'));
  });

  test.each(['/v1/models?_=1732827600000', '/platform/v1/key?_=1', '/v1/runs?limit=1&_=1', '/v1/batches?_=7'])(
    'are not the number that %s has against caches',
    async (path) => {
      expect((await stage.ask(path, { headers: { 'x-api-key': key } })).status).toBe(200);
    },
  );

  test.each([
    ['/platform/v1/key?_=a', '_'],
    ['/platform/v1/key?__proto__=1', '__proto__'],
    ['/platform/v1/key?surprise', 'surprise'],
    [`/platform/v1/key?${'n'.repeat(300)}=1`, 'n'.repeat(100)],
  ])('are refused in %s', async (path, param) => {
    expect(await refusalOf(path)).toEqual(refusalIn(path, param));
  });
});

/** Routes that change something and have neither a body nor a form. */
const unfilled = bodiless
  .filter(({ method }) => method === 'DELETE')
  .concat(
    routes.filter(({ method, path, guards, doc }) => {
      const isRead = doc?.form !== undefined || guards.some((one) => one.refusals.includes(415) && !emptying.has(one));
      return method === 'POST' && guards.length > 0 && !isRead && !path.startsWith('/console/');
    }),
  );

describe('a body that a route does not read', () => {
  test('is refused by name by every such route', async () => {
    const answers = await Promise.all(
      unfilled.map(async ({ method, path }) => ({
        path,
        ...(await refusalOf(withIds(path), method, '{"surprise":1}')),
      })),
    );
    expect(answers.length).toBeGreaterThan(25);
    expect(answers).toEqual(unfilled.map(({ path }) => ({ path, ...refusalIn(path, 'surprise') })));
  });

  test.each([undefined, '', '{}'])('may be %j', async (body) => {
    expect(await refusalOf('/v1/batches/batch_1/cancel', 'POST', body)).toMatchObject({ status: 404 });
    expect(await refusalOf('/platform/v1/webhook_endpoints/we_1/test', 'POST', body)).toMatchObject({ status: 404 });
  });

  test.each([
    ['/v1/batches/batch_1/cancel', '[]', { status: 400, code: 'invalid_value', param: 'body' }],
    ['/v1/batches/batch_1/cancel', '{', { status: 400, code: 'invalid_body', param: null }],
    ['/v1/publisher/agents/agent_1/submit-public', '[]', { status: 422, code: 'validation_error', param: null }],
    ['/v1/publisher/agents/agent_1/submit-public', '{', { status: 422, code: 'validation_error', param: null }],
  ])('is refused by %s as %s', async (path, body, refusal) => {
    expect(await refusalOf(path, 'POST', body)).toEqual(refusal);
  });
});

test('the document says of every body what becomes of members that it does not name', () => {
  const schemas = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      Object.values((requestBody as SentBody | undefined)?.content ?? {}).map(
        ({ schema = {} }) =>
          [
            `${method} ${path}`,
            schema.$ref ? (components.schemas[schema.$ref.split('/').at(-1)!] as SentSchema) : schema,
          ] as const,
      ),
    ),
  );
  expect(schemas.length).toBeGreaterThan(120);
  const silent = schemas.filter(
    ([, { properties, additionalProperties }]) => properties && additionalProperties === undefined,
  );
  expect(silent.map(([route]) => route)).toEqual([]);
});

describe('members that the official clients send', () => {
  test.each([
    ['GET', '/v1/models?own=1', 200],
    ['GET', '/textapi/v1/files?limit=2&own=1', 200],
    ['GET', '/v1/batches?own=1', 200],
    ['GET', '/voiceapi/v1/voices?show_legacy=true', 200],
    ['GET', '/voiceapi/v1/voices/alloy?with_settings=true', 200],
    ['DELETE', '/v1/responses/resp_1?beta=true', 404],
    ['GET', '/v1/responses/resp_1?beta=true&include[]=a', 404],
    ['GET', '/v1/responses/resp_1/input_items?beta=true', 404],
    ['GET', '/textapi/v1/files?purpose=batch&limit=2&order=asc', 200],
  ])('%s %s is answered %d', async (method, path, status) => {
    expect((await stage.ask(path, { method, headers: { 'x-api-key': key } })).status).toBe(status);
  });

  test.each([
    ['/v1/batches', 400],
    ['/textapi/v1/files', 400],
    ['/v1/files', 422],
    ['/v1/responses/resp_1/input_items', 400],
  ])('are not a page before an item: %s refuses it with %d', async (path, status) => {
    const { param, ...refusal } = await refusalOf(`${path}?before=id_1`);
    expect({ status: refusal.status, param }).toEqual({ status, param: 'before' });
  });

  test('the beta of responses counts input tokens', async () => {
    const body = JSON.stringify({ model: textModel, input: 'Hi' });
    const asked = { headers: { 'x-api-key': key }, body };
    expect((await stage.ask('/v1/responses/input_tokens?beta=true', asked)).status).toBe(200);
  });

  test('a style of the model is not counted, and so refused by name', async () => {
    const body = JSON.stringify({ model: textModel, input: 'Hi', personality: 'friendly' });
    const refusal = { status: 400, code: 'unsupported_parameter', param: 'personality' };
    expect(await refusalOf('/v1/responses/input_tokens', 'POST', body)).toEqual(refusal);
  });
});
