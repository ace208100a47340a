import { afterAll, describe, expect, test } from '@jest/globals';
import type { Script } from '../../../rules/scripted/script.ts';
import { chatBody, chatPath, setGuardStage, told, type ErrorBody, type GuardStage } from '../../support/guardStage.ts';
import { readSources } from '../../support/sources.ts';

const stage = await setGuardStage();
afterAll(() => stage.close());

type Account = Parameters<GuardStage['account']>[0];

async function errorOf(body: string, account: Account = { creditUsd: '10' }, path = chatPath) {
  const { secret } = await stage.account(account);
  return read(await stage.ask(path, { headers: { 'x-api-key': secret }, body }));
}

async function read(response: Response) {
  const { error } = (await response.json()) as ErrorBody;
  // LiteLLM searches the text of the whole error, as its client formats it.
  return { status: response.status, headers: response.headers, ...error, text: JSON.stringify(error) };
}

const refusedWith = (error: Script['error']) => errorOf(chatBody({ messages: told({ status: 400, error }) }));

// litellm/litellm_core_utils/exception_mapping_utils.py, `_map_openai_exception` and `ExceptionCheckers`, in the order of its checks.
const rateLimit = /rate[\s_-]*limit/i;
const contextLength = /this model's maximum context length is/i;

describe('the error texts contain the words by which clients of OpenAI recognise', () => {
  test('a wrong key: without them LiteLLM reports a bad request', async () => {
    const wrong = await read(
      await stage.ask(chatPath, { headers: { 'x-api-key': 'sk_live_wrong' }, body: chatBody() }),
    );
    expect(wrong).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(wrong.message).toMatch(/^Incorrect API key provided/);
  });

  test('an unknown model: LiteLLM looks for both names', async () => {
    const { text, status } = await errorOf(chatBody({ model: 'gpt-9' }));
    expect(status).toBe(404);
    expect(text).toMatch(/invalid_request_error.*model_not_found/);
  });

  test('the rate limit, in OpenAI’s own form: LiteLLM looks for "rate limit", others for the seconds', async () => {
    const { secret } = await stage.account({ creditUsd: '10', rpmLimit: 1 });
    const ask = () => stage.ask(chatPath, { headers: { 'x-api-key': secret }, body: chatBody() });
    await (await ask()).text();
    const { status, message, code } = await read(await ask());
    expect({ status, code }).toEqual({ status: 429, code: 'rate_limit_exceeded' });
    expect(message).toMatch(
      /^Rate limit reached for .* on requests per min \(RPM\): Limit 1\. Please try again in \d+s\.$/,
    );
  });

  test('the limit of concurrent requests', async () => {
    const { secret } = await stage.account({ creditUsd: '10', concurrencyLimit: 1 });
    const leave = new AbortController();
    const body = chatBody({ stream: true, messages: told({ fault: 'endless', delayMs: 20 }) });
    const headers = { 'x-api-key': secret };
    const first = await stage.ask(chatPath, { headers, body, signal: leave.signal });
    const { status, message } = await read(await stage.ask(chatPath, { headers, body: chatBody() }));
    expect({ status, message }).toEqual({
      status: 429,
      message:
        'Rate limit reached for this key on requests in flight: Limit 1. Please try again when one of them has ended.',
    });
    leave.abort();
    await first.text().catch(() => undefined);
  });

  // LangChain and LangGraph never retry a 402. Applications recognise an empty account by OpenAI's sentence; the code is the
  // specification's.
  test.each<[string, Account, string]>([
    ['an empty account', { balanceNanos: 0n }, 'insufficient_balance'],
    ['one that is too poor', { balanceNanos: 1n }, 'insufficient_balance'],
    ['a spent ceiling', { spendLimitNanos: 0n, spendLimitPeriod: 'daily' }, 'key_spend_limit_reached'],
    [
      'one that is too low',
      { creditUsd: '10', spendLimitNanos: 1n, spendLimitPeriod: 'daily' },
      'key_spend_limit_reached',
    ],
  ])('a 402 of %s', async (_, account, code) => {
    const refused = await errorOf(
      chatBody({ messages: [{ role: 'user', content: 'many words '.repeat(100) }] }),
      account,
    );
    expect(refused).toMatchObject({ status: 402, code });
    expect(refused.message).toMatch(/^You exceeded your current quota: /);
    // Otherwise it would be retried as a rate limit.
    expect(refused.text).not.toMatch(rateLimit);
  });

  test("a prompt that exceeds the model's context", async () => {
    const refused = await errorOf(chatBody({ messages: [{ role: 'user', content: 'x'.repeat(1_900_000) }] }));
    expect(refused).toMatchObject({ status: 400, code: 'context_length_exceeded' });
    expect(refused.message).toMatch(contextLength);
  });

  // LangChain's `_handle_openai_bad_request` checks the code, LiteLLM the sentence.
  test.each([
    ['OpenAI', { code: 'context_length_exceeded', message: "This model's maximum context length is 8192 tokens." }],
    ['vLLM', { code: 400, type: 'BadRequestError', message: "This model's maximum context length is 4096 tokens." }],
    [
      'llama.cpp',
      { code: 400, type: 'exceed_context_size_error', message: 'the request exceeds the available context size' },
    ],
    ['Anthropic', { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' }],
    ['OpenAI’s Responses', { message: 'Input tokens exceed the configured limit of 272000 tokens.' }],
  ])("%s's error for such a prompt", async (_, error) => {
    const refused = await refusedWith(error);
    expect(refused).toMatchObject({ status: 400, code: 'context_length_exceeded', type: 'invalid_request_error' });
    expect(refused.message).toMatch(contextLength);
    expect(refused.message).toContain(error.message);
  });

  test('content that violates a policy: LiteLLM looks for both names', async () => {
    const { text, status, headers } = await refusedWith({ code: 'content_filter', message: 'Flagged.' });
    expect([status, headers.get('x-should-retry')]).toEqual([400, 'false']);
    expect(text).toMatch(/invalid_request_error.*content_policy_violation/);
  });
});

test('no other error contains "rate limit" or the words for an exceeded context', () => {
  const allowed = ['base/errors/limitErrors.ts', 'calls/errors/upstreamRefusal.ts', 'calls/text/textCall.ts'];
  const wrong = readSources()
    .filter(({ path, folder }) => folder === 'api' && !path.startsWith('api/docs/') && !allowed.includes(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/message:\s*[`'"]([^`'"]*)/g)]
        .filter(([, message]) => rateLimit.test(message!) || contextLength.test(message!))
        .map(([, message]) => `${path}: ${message}`),
    );
  expect(wrong).toEqual([]);
});
