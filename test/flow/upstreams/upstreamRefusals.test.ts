import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Script } from '../../../rules/scripted/script.ts';
import { retime } from '../../support/clock.ts';
import { until } from '../../support/until.ts';
import { chatBody, setMoneyStage } from '../stages/moneyStage.ts';

const stage = await setMoneyStage();
beforeEach(() => stage.upstream.reset());
afterAll(() => stage.close());

async function post(script: Script, more: object = {}): Promise<Response> {
  const { secret } = await stage.account({ balanceNanos: 1_000_000_000n });
  return fetch(`${stage.urls()[0]}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: chatBody(script, more),
  });
}

describe("a refusal by the upstream's moderation", () => {
  const refusals: [string, Script][] = [
    ['400', { status: 400, error: { code: 'content_filter', message: 'Flagged.' } }],
    ['403', { status: 403, error: { code: 403, message: 'Flagged.', metadata: { reasons: ['hate'] } } }],
    ['200', { raw: { error: { code: 'content_policy_violation', message: 'Flagged.' } } }],
  ];

  test.each(refusals)("with %s is the request's fault, and not retried", async (_, script) => {
    const response = await post(script);
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([400, 'false']);
    expect(await response.json()).toMatchObject({
      error: { code: 'content_policy_violation', message: expect.stringContaining('Flagged.') },
    });
    expect(stage.upstream.calls()).toHaveLength(1);
  });
});

test.each<[string, Script]>([
  ['key', { status: 401, error: { message: 'Incorrect API key provided: sk-abc.' } }],
  ['credit', { status: 402 }],
  ['rights', { status: 403 }],
  ['quota', { status: 429, error: { code: 'insufficient_quota', message: 'You exceeded your quota.' } }],
])("the platform's own %s at the upstream is not the caller's fault", async (_, script) => {
  const response = await post(script);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'overloaded' } });
  expect(text).not.toMatch(/quota|key/i);
  const isAlarm = (line: string) => line.includes('"upstream_account"') && line.includes('"level":50');
  await until(() => stage.running[0]!.lines.some(isAlarm));
});

test('a stream with a slow upstream gets its head and a comment after ten seconds, also before an error', async () => {
  retime({ fromMs: 10_000, toMs: 300 });
  const slow = { headDelayMs: 500 };
  const [answered, failed] = await Promise.all([
    post({ ...slow, text: 'Late.' }, { stream: true }),
    post({ ...slow, status: 500 }, { stream: true }),
  ]);
  expect([answered.status, failed.status]).toEqual([200, 200]);
  const [answer, failure] = await Promise.all([answered.text(), failed.text()]);
  jest.restoreAllMocks();
  expect(answer).toMatch(/^(: keep-alive\n\n)+data: [^]*Late[^]*data: \[DONE\]\n\n$/);
  expect(failure).toMatch(/^(: keep-alive\n\n)+data: \{"error":\{[^]*"provider_failed"[^]*data: \[DONE\]\n\n$/);
});
