import { describe, expect, test } from '@jest/globals';
import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from 'openai';
import type { ClientOptions } from 'openai';
import type { Script } from '../../rules/scripted/script.ts';
import { embeddingModel, textModel as model } from '../support/startApi.ts';
import { openClientStage } from './clientStage.ts';

const { stage, client: funded } = await openClientStage();

/** A client that records the headers of each attempt. `onAnswer` runs before it gets an answer. */
function clientWith(apiKey = stage.keys.funded, options: ClientOptions = {}) {
  const tries: Headers[] = [];
  let act = (): void => {};
  const countingFetch: typeof fetch = async (input, init) => {
    tries.push(new Headers(init?.headers));
    const response = await fetch(input, init);
    act();
    return response;
  };
  const client = new OpenAI({ baseURL: stage.baseUrl, apiKey, maxRetries: 0, fetch: countingFetch, ...options });
  return { client, tries, onAnswer: (work: () => void) => (act = work) };
}

function asking(script: Script = {}) {
  return [{ role: 'user' as const, content: JSON.stringify({ scripted: script }) }];
}

/** The error that the client throws, with its class. */
async function failureOf(call: PromiseLike<unknown>): Promise<APIError> {
  try {
    await call;
  } catch (error) {
    return error as APIError;
  }
  throw new Error('the call did not fail');
}

const fourMembers = ['code', 'message', 'param', 'type'];

describe('a refused parameter', () => {
  const chat: [string, unknown][] = [
    ['audio', { voice: 'alloy', format: 'mp3' }],
    ['prediction', { type: 'content', content: 'x' }],
    ['web_search_options', {}],
    ['functions', [{ name: 'f', parameters: {} }]],
    ['function_call', 'auto'],
    ['modalities', ['text', 'audio']],
    ['modalities', []],
  ];
  const responses: [string, unknown][] = [
    ['previous_response_id', 'resp_1'],
    ['conversation', 'conv_1'],
    ['background', true],
    ['prompt_cache_key', 'k'],
  ];
  const cases = [
    ...chat.map(([name, value]) => ['chat/completions', name, value] as const),
    ...responses.map(([name, value]) => ['responses', name, value] as const),
  ];

  describe('that a header leaves out', () => {
    const ignoring = (names: string, path: string, more: object) =>
      funded.post(path, { headers: { 'x-ignored-parameters': names }, body: { model, ...more } });

    test.each([
      ['/chat/completions', { messages: asking(), prediction: { type: 'content', content: 'x' } }],
      ['/chat/completions', { messages: asking(), prompt_cache_key: 'taken here' }],
      ['/responses', { input: 'Hi', prompt_cache_key: 'k' }],
      ['/responses/input_tokens', { input: 'Hi', prompt_cache_key: 'k' }],
    ])('is no error: %s %j', async (path, more) => {
      await expect(ignoring('prompt_cache_key, prediction', path, more)).resolves.toHaveProperty('object');
    });

    test('does not reach a model, which may refuse it', async () => {
      const client_metadata = { session_id: 's' };
      await ignoring('client_metadata', '/responses', { input: 'Hi', client_metadata });
      expect(stage.upstream.calls()).toHaveLength(1);
      expect(stage.upstream.calls()[0]!.body).not.toHaveProperty('client_metadata');
    });

    test('is still an error where the header names another one', async () => {
      const said = await failureOf(ignoring('prediction', '/responses', { input: 'Hi', prompt_cache_key: 'k' }));
      expect(said).toMatchObject({ status: 400, code: 'unsupported_parameter', param: 'prompt_cache_key' });
    });

    test('is only one without which the answer is the same', async () => {
      const said = await failureOf(ignoring('previous_response_id', '/responses', { input: 'Hi' }));
      expect(said).toMatchObject({ status: 400, code: 'invalid_value', param: 'x-ignored-parameters' });
      expect(said.message).toContain('may name "client_metadata", "prediction", "prompt_cache_key"');
    });
  });

  test.each(cases)('of %s is named in the 400, streamed or not: %s = %j', async (path, name, value) => {
    for (const stream of [false, true]) {
      const body = { model, messages: asking(), input: 'Hi', stream, [name]: value };
      const { [path === 'responses' ? 'messages' : 'input']: _, ...sent } = body;
      const error = await failureOf(clientWith().client.post(`/${path}`, { body: sent, stream }));
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error).toMatchObject({ code: 'unsupported_parameter', param: name, type: 'invalid_request_error' });
      expect(error.message).toContain(name);
    }
    expect(stage.upstream.calls()).toEqual([]);
  });

  test('that is null counts as not sent', async () => {
    const nothing = Object.fromEntries(chat.map(([name]) => [name, null]));
    const answer = await clientWith().client.chat.completions.create({ model, messages: asking(), ...nothing });
    expect(answer.choices[0]?.finish_reason).toBe('stop');
  });
});

describe("the client's error", () => {
  const keys: [keyof (typeof stage)['keys'], number, string, string][] = [
    ['revoked', 401, 'invalid_api_key', 'invalid_request_error'],
    ['broke', 402, 'insufficient_balance', 'billing_error'],
    ['spent', 402, 'key_spend_limit_reached', 'billing_error'],
    ['voiceOnly', 403, 'scope_not_allowed', 'permission_error'],
  ];
  test.each(keys)('for the key "%s" is a %i %s, without retries', async (key, status, code, type) => {
    const { client, tries } = clientWith(stage.keys[key], { maxRetries: 2 });
    const error = await failureOf(client.chat.completions.create({ model, messages: asking() }));
    expect(error).toMatchObject({ status, code, type, requestID: expect.stringMatching(/^req_/) });
    expect(Object.keys(error.error as object).toSorted()).toEqual(fourMembers);
    expect(tries).toHaveLength(1);
    expect(stage.upstream.calls()).toEqual([]);
  });

  test.each(['sk_live_', 'wrong', `sk_live_${'0'.repeat(43)}`])('for the unknown key %j is a 401', async (key) => {
    const error = await failureOf(clientWith(key).client.models.list());
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ code: 'invalid_api_key', param: null });
  });

  test('for an unknown model names the closest one', async () => {
    const { client } = clientWith();
    const chat = await failureOf(client.chat.completions.create({ model: 'ledgerline-txt-1', messages: asking() }));
    expect(chat).toBeInstanceOf(NotFoundError);
    expect(chat).toMatchObject({
      code: 'model_not_found',
      param: 'model',
      message: expect.stringContaining(`'${model}'`),
    });
    const embedding = await failureOf(client.embeddings.create({ model: `${embeddingModel}0`, input: 'Hi' }));
    expect(embedding).toMatchObject({ status: 404, message: expect.stringContaining(`'${embeddingModel}'`) });
  });

  test('for an unknown path is a 404', async () => {
    const error = await failureOf(clientWith().client.post('/no/such/path'));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ code: 'unknown_url', requestID: expect.stringMatching(/^req_/) });
  });

  test('for a rate limit has retry-after, and the client retries after it', async () => {
    const key = await stage.newLimitedKey();
    const { client } = clientWith(key);
    const { response } = await client.chat.completions.create({ model, messages: asking() }).withResponse();
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('1');
    const error = await failureOf(client.chat.completions.create({ model, messages: asking() }));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error' });
    expect(Number(error.headers?.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(error.headers?.get('retry-after-ms'))).toBeGreaterThan(0);
  });

  test('for a failed model reveals nothing of the upstream, and nothing is billed', async () => {
    const scripts: Script[] = [
      { status: 500, error: { message: 'internal host 10.1.2.3' } },
      { status: 401, error: { message: 'wrong upstream key on 10.1.2.3' } },
      { fault: 'malformed' },
      { fault: 'halfClose' },
      { fault: 'errorFrame' },
    ];
    const beforeNanos = await stage.balanceNanos();
    for (const script of scripts) {
      const error = await failureOf(clientWith().client.chat.completions.create({ model, messages: asking(script) }));
      expect(error).toBeInstanceOf(InternalServerError);
      expect(JSON.stringify(error.error)).not.toMatch(/10\.1\.2\.3|engine/);
    }
    expect(await stage.balanceNanos()).toBe(beforeNanos);
  });

  test('of a streamed call is plain JSON before its first byte, and thrown during the stream', async () => {
    const { client } = clientWith();
    const start = (script: Script) => client.chat.completions.create({ model, messages: asking(script), stream: true });
    expect(await failureOf(start({ status: 500 }))).toBeInstanceOf(InternalServerError);
    for (const fault of ['malformed', 'halfClose', 'endEarly', 'errorFrame'] as const) {
      const chunks: unknown[] = [];
      const read = async () => {
        for await (const chunk of await start({ fault, faultAfterChunks: 4 })) chunks.push(chunk);
      };
      expect(await failureOf(read())).toBeInstanceOf(APIError);
      expect(chunks).toHaveLength(4);
    }
  });
});

describe("the client's retries", () => {
  test('follow a temporary fault', async () => {
    const { client, tries } = clientWith(undefined, { maxRetries: 2 });
    const call = client.chat.completions.create({ model, messages: asking({ status: 500 }) });
    expect(await failureOf(call)).toBeInstanceOf(InternalServerError);
    expect(tries.map((headers) => headers.get('x-stainless-retry-count'))).toEqual(['0', '1', '2']);
  });

  test('end with the first success', async () => {
    stage.upstream.script({ status: 503, retryAfterMs: 1 });
    const { client, tries, onAnswer } = clientWith(undefined, { maxRetries: 2 });
    onAnswer(() => stage.upstream.script({}));
    const answer = await client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hi' }] });
    expect(answer.choices[0]?.finish_reason).toBe('stop');
    expect(tries).toHaveLength(2);
  });

  test('do not follow a refusal by the model', async () => {
    const script = { status: 400, error: { message: 'Too long.', param: 'messages', code: 'context_length_exceeded' } };
    const { client, tries } = clientWith(undefined, { maxRetries: 2 });
    const error = await failureOf(client.chat.completions.create({ model, messages: asking(script) }));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(tries).toHaveLength(1);
  });
});
