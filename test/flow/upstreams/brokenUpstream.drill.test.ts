import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Script } from '../../../rules/scripted/script.ts';
import { countPromptTokens, countTokens } from '../../../providers/metering/tokens.ts';
import { readJson } from '../../support/streams.ts';
import { until } from '../../support/until.ts';
import { ask, chatBody, priceNanos, setMoneyStage, type Account, type Answer } from '../stages/moneyStage.ts';

const text = 'What an upstream says before it breaks is not billed, for the caller cannot use it.';
const creditNanos = 1_000_000_000n;

const stage = await setMoneyStage();
const impatient = await stage.startAnother({ UPSTREAM_IDLE_TIMEOUT_MS: '2000', UPSTREAM_ANSWER_TIMEOUT_MS: '2000' });
beforeEach(() => stage.upstream.reset());
afterAll(() => stage.close());

/** Sends one call on a separate account; returns the answer, the account and the actual price. */
async function askOnce(script: Script, more: object = {}) {
  const account = await stage.account({ balanceNanos: creditNanos });
  const body = chatBody({ text, ...script }, more);
  // Short timeouts, because a silent upstream would make the test wait.
  const url = script.fault === 'stall' ? impatient.url : stage.urls()[0]!;
  const answer = await ask(url, account.secret, body);
  const inputTokens = await countPromptTokens(JSON.parse(body) as Record<string, unknown>);
  const trueNanos = priceNanos({ inputTokens, outputTokens: await countTokens(text) });
  return { account, answer, inputTokens, trueNanos };
}

async function expectCharged(account: Account, nanos: bigint): Promise<void> {
  const sql = 'select 1 from requests where key_id = $1';
  await until(async () => {
    await stage.db.ledger.posted();
    return (await stage.db.pool.query(sql, [account.keyId])).rowCount === 1;
  });
  expect(creditNanos - (await stage.balance(account))).toBe(nanos);
  await stage.quiet(account.accountId);
}

/** The result in the stream's last frame: the error's code, or the finish reason of the last choice. */
function endOf({ text: stream }: Answer): string {
  const chunks = readJson<{ error?: { code: string }; choices?: { finish_reason: string | null }[] }>(stream);
  const endings = chunks.map(({ error, choices }) => error?.code ?? choices?.[0]?.finish_reason);
  return endings.findLast((ending) => typeof ending === 'string')!;
}

const brokenAnswers: [string, Script, number, string][] = [
  ['answers 500', { status: 500 }, 502, 'provider_failed'],
  ['answers 429', { status: 429, retryAfter: '7' }, 503, 'overloaded'],
  ['sends malformed JSON', { fault: 'malformed' }, 502, 'provider_failed'],
  ['stalls', { fault: 'stall' }, 504, 'provider_timeout'],
  ['closes half-way', { fault: 'halfClose' }, 502, 'provider_failed'],
  ['resets half-way', { fault: 'reset' }, 502, 'provider_failed'],
  ['reports an error with status 200', { fault: 'errorFrame' }, 502, 'provider_failed'],
  ['sends an invalid choice', { raw: { choices: [null] } }, 502, 'provider_failed'],
];

const brokenStreams: [string, Script, string][] = [
  ['sends malformed JSON', { fault: 'malformed' }, 'provider_failed'],
  ['goes silent', { fault: 'stall' }, 'provider_timeout'],
  ['closes half-way', { fault: 'halfClose', faultAfterChunks: 7 }, 'provider_failed'],
  ['resets half-way', { fault: 'reset', faultAfterChunks: 7 }, 'provider_failed'],
  ['ends without its last chunk', { fault: 'endEarly', faultAfterChunks: 7 }, 'provider_failed'],
  ['reports an error in the stream', { fault: 'errorFrame' }, 'provider_failed'],
  ['sends an invalid choice', { raw: { choices: [null] } }, 'provider_failed'],
  [
    'calls a tool with an invalid index',
    { raw: { choices: [{ delta: { tool_calls: [{ index: '__proto__', function: { name: 'f' } }] } }] } },
    'provider_failed',
  ],
];

describe('when the upstream fails, nothing is billed and nothing stays held:', () => {
  test.each(brokenAnswers)('it %s', async (_, script, status, code) => {
    const { account, answer } = await askOnce(script);
    expect(answer).toMatchObject({ status, code, costNanos: 0n });
    await expectCharged(account, 0n);
  });

  test.each(brokenAnswers.slice(0, 2))('it %s to a stream', async (_, script, status, code) => {
    const { account, answer } = await askOnce(script, { stream: true });
    expect(answer).toMatchObject({ status, code });
    await expectCharged(account, 0n);
  });

  test('it never begins a stream', async () => {
    const { account, answer } = await askOnce({ fault: 'stall', faultAfterChunks: 0 }, { stream: true });
    expect(answer).toMatchObject({ status: 504, code: 'provider_timeout' });
    await expectCharged(account, 0n);
  });

  test.each(brokenStreams)('in a stream, it %s', async (_, script, code) => {
    const { account, answer } = await askOnce(script, { stream: true });
    expect(answer.status).toBe(200);
    expect(endOf(answer)).toBe(code);
    await expectCharged(account, 0n);
  });
});

describe.each([false, true])('when the upstream behaves unusually, the bill is exact (streamed: %s):', (stream) => {
  const oddities: [string, Script][] = [
    ['it sends byte by byte', { fault: 'byByte' }],
    ['it leaves its usage out', { usage: null }],
    ['its usage is not numeric', { usage: { prompt_tokens: -5, completion_tokens: '12', total_tokens: 1e300 } }],
    ['its usage is next to nothing', { usage: { prompt_tokens: 20, completion_tokens: 1, total_tokens: 21 } }],
    ['its usage is nothing', { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }],
    [
      'its usage is nothing, on each chunk',
      { usage: { prompt_tokens: 0, completion_tokens: 0 }, continuousUsage: true },
    ],
    ['its usage has a prompt that was not sent', { usage: { prompt_tokens: 7_000, completion_tokens: 20 } }],
    ['its usage is more than can be', { usage: { prompt_tokens: 10, completion_tokens: 1e9, total_tokens: 1e9 } }],
  ];
  test.each(oddities)('%s', async (_, script) => {
    const { account, answer, trueNanos } = await askOnce(script, { stream });
    expect(answer.status).toBe(200);
    await expectCharged(account, trueNanos);
    if (!stream) expect(answer.costNanos).toBe(trueNanos);
  });

  test("its usage is more than the caller's limit, which is billed", async () => {
    const usage = {
      prompt_tokens: 30,
      completion_tokens: 4_000,
      completion_tokens_details: { reasoning_tokens: 3_900 },
    };
    const { account, answer } = await askOnce({ usage }, { stream, max_tokens: 40 });
    expect(answer.status).toBe(200);
    await expectCharged(account, priceNanos({ inputTokens: 30, outputTokens: 40 }));
  });
});

describe('a model that does not stop', () => {
  test("is stopped at the caller's limit, and billed no further", async () => {
    const { account, answer, inputTokens } = await askOnce({ fault: 'endless' }, { stream: true, max_tokens: 1_000 });
    expect(endOf(answer)).toBe('length');
    await expectCharged(account, priceNanos({ inputTokens, outputTokens: 1_000 }));
    await until(() => stage.upstream.calls()[0]!.aborted);
  });

  test("is stopped at the model's own limit when the caller sets none", async () => {
    const { account, answer, inputTokens } = await askOnce({ fault: 'endless' }, { stream: true });
    expect(endOf(answer)).toBe('length');
    await expectCharged(account, priceNanos({ inputTokens, outputTokens: 4_096 }));
  });

  test('is stopped when the caller of a whole answer disconnects, who pays for the prompt', async () => {
    const account = await stage.account({ balanceNanos: creditNanos });
    const body = chatBody({ text, fault: 'endless' });
    const patience = new AbortController();
    const asking = ask(stage.urls()[0]!, account.secret, body, patience.signal);
    await until(() => stage.upstream.calls()[0]?.outputTokens !== undefined);
    patience.abort();
    await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
    await until(() => stage.upstream.calls()[0]!.aborted);
    const inputTokens = await countPromptTokens(JSON.parse(body) as Record<string, unknown>);
    await expectCharged(account, priceNanos({ inputTokens, outputTokens: 0 }));
  });
});
