import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { callModel, type ModelCall } from '../../../activities/run/callModel.ts';
import type { RunRow } from '../../../db/runs/runRow.ts';
import { startScripted } from '../../../rules/scripted/startScripted.ts';
import type { Script } from '../../../rules/scripted/script.ts';
import { countTokens } from '../../../providers/metering/tokens.ts';
import { openAgentModel } from '../../support/agent.ts';

const upstream = await startScripted();
const agent = openAgentModel(upstream.url);
beforeEach(() => upstream.reset());
afterAll(async () => {
  await agent.close();
  await upstream.stop();
});

const run = {
  workspace_id: 'ws_a',
  held_nanos: '1000000000',
  meters: {},
  rate_card: { meters: [{ id: 'model_output_tokens', price_usd: 0.00001 }], network_fee_percentage: 0 },
} as unknown as RunRow;

const callOf = (watch: Partial<ModelCall['watch']>, held = run.held_nanos): ModelCall => ({
  run: { ...run, held_nanos: held },
  model: agent.model,
  body: { model: 'm', messages: [{ role: 'user', content: 'Think.' }] },
  begun: { runId: 'run_a', step: 1, id: 'step_a', attempt: 1, kind: 'model', name: 'test' },
  watch: watch as ModelCall['watch'],
  produced: { outputTokens: 0 },
  write: () => Promise.resolve(),
});

const replyOf = (script: Script, held?: string) => {
  upstream.script(script);
  return callModel(agent, callOf({ signal: new AbortController().signal, stopReason: () => undefined }, held));
};

/** The reply of a call that is stopped after it has read all chunks of its stream. */
const replyStopped = (reason: 'cancelled' | 'timeout' | 'lost', chunks: object[]) => {
  const stop = new AbortController();
  const stream = async function* stream() {
    yield chunks;
    stop.abort(reason);
  };
  const textProviders = { of: () => ({ stream: async () => stream() }) } as unknown as typeof agent.textProviders;
  const stopReason = () => (stop.signal.aborted ? reason : undefined);
  return callModel({ textProviders }, callOf({ signal: stop.signal, stopReason }));
};

test.each(['reasoning_content', 'reasoning'] as const)(
  "reasoning sent as `%s` counts as the run's output when the upstream reports no usage",
  async (reasoningName) => {
    const reasoning = 'First this, then that, and in the end something else.';
    const { text, quantities } = await replyOf({ usage: null, reasoning, reasoningName, text: 'Done.' });
    expect(text).toBe('Done.');
    const tokens = await countTokens(`${reasoning}Done.`);
    expect(quantities.model_output_tokens).toBe(tokens * 1000);
  },
);

test('reasoning that the upstream counts beside the completion is output of the run', async () => {
  const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 60 };
  expect((await replyOf({ usage })).quantities).toEqual({ model_input_tokens: 10_000, model_output_tokens: 50_000 });
});

test('a custom tool call is output of the run where the upstream reports no usage', async () => {
  const input = 'select the rows of the last ten days, and then count them by their region';
  const custom = { index: 0, id: 'c', type: 'custom', custom: { name: 'query', input } };
  const { quantities } = await replyOf({
    usage: null,
    text: '',
    raw: { choices: [{ delta: { tool_calls: [custom] } }] },
  });
  expect(quantities.model_output_tokens).toBe((await countTokens(`query${input}`)) * 1000);
});

test.each([1, 3, 40])(
  'a model that does not stop is cut at the last token that is held, of %i pieces',
  async (chunks) => {
    // 10,000 nano-USD a token.
    const script: Script = { fault: 'endless', usage: null, text: ' word'.repeat(80), chunks };
    const { text, outcome, quantities } = await replyOf(script, '1000000');
    expect(outcome).toBe('limit');
    expect(quantities.model_output_tokens).toBe(100_000);
    expect(await countTokens(text)).toBe(100);
  },
);

test('a usage of next to nothing is not believed: the tokens are counted', async () => {
  const text = 'word '.repeat(3_000);
  const { quantities } = await replyOf({ text, usage: { prompt_tokens: 0, completion_tokens: 1, total_tokens: 1 } });
  expect(quantities.model_output_tokens).toBe((await countTokens(text)) * 1000);
  expect(quantities.model_input_tokens).toBeGreaterThan(5_000);
});

test('a tool call with an invalid index ends the call and leaves every list unchanged', async () => {
  const calls = [{ index: '__proto__', id: 'c', function: { name: 'polluted', arguments: '{}' } }];
  const reply = replyOf({ raw: { choices: [{ delta: { tool_calls: calls } }] } });
  await expect(reply).rejects.toMatchObject({ name: 'ProviderError', fault: 'failed' });
  expect([]).not.toHaveProperty('arguments');
});

const said = { choices: [{ index: 0, delta: { content: 'Four.' }, finish_reason: null }] };
const ended = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

test.each([
  ['whole', [said, ended]],
  ['cut', [said]],
  ['empty', []],
])('the %s answer of a call that another worker has taken over is an error of its own', async (_kind, chunks) => {
  await expect(replyStopped('lost', chunks)).rejects.toMatchObject({ name: 'LeaseLost' });
});

test.each([
  ['cancelled', 'stopped'],
  ['timeout', 'timeout'],
] as const)('a call that is %s keeps an answer that has ended, and cuts one that has not', async (reason, outcome) => {
  expect(await replyStopped(reason, [said, ended])).toMatchObject({ text: 'Four.', outcome: 'final' });
  expect(await replyStopped(reason, [said])).toMatchObject({ text: 'Four.', outcome });
});
