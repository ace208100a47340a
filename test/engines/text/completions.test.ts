import { afterAll, describe, expect, test } from '@jest/globals';
import type { Completion, CompletionCreateParamsNonStreaming } from 'openai/resources/completions';
import { collect } from '../../support/streams.ts';
import { embeddedModelId as model, startEmbeddedModel } from '../../support/embeddedModel.ts';

const embedded = await startEmbeddedModel();
afterAll(() => embedded.stop());

function complete(params: Partial<CompletionCreateParamsNonStreaming>) {
  return embedded.client.completions.create({ model, prompt: 'The sky is', temperature: 0, max_tokens: 4, ...params });
}

describe('completions', () => {
  test('continue the prompt, 16 tokens by default', async () => {
    const answer = await embedded.client.completions.create({
      model,
      prompt: 'Once upon a time',
      logit_bias: { 2: -100 },
    });
    expect(answer.choices[0]!.text.length).toBeGreaterThan(0);
    expect(answer.choices[0]!.finish_reason).toBe('length');
    expect(answer.usage).toEqual({ prompt_tokens: 4, completion_tokens: 16, total_tokens: 20 });
  });

  test('return n choices for each of several prompts, in order', async () => {
    const answer = await complete({ prompt: ['The sky is', 'Water is'], n: 2, max_tokens: 2, echo: true });
    expect(answer.choices.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(answer.choices.map(({ text }) => text.split(' ')[0])).toEqual(['The', 'The', 'Water', 'Water']);
    expect(answer.usage!.completion_tokens).toBe(8);
  });

  test('accept token numbers as a prompt', async () => {
    const [text, numbers] = [await complete({}), await complete({ prompt: [504, 6376, 314] })];
    expect(text.usage!.prompt_tokens).toBe(3);
    expect(numbers.usage!.prompt_tokens).toBe(3);
    const echoed = await complete({ prompt: [504], echo: true, max_tokens: 1 });
    expect(echoed.choices[0]!.text.startsWith('The')).toBe(true);
  });

  test('score the prompt too with echo and logprobs', async () => {
    const { text, logprobs } = (await complete({ echo: true, logprobs: 2 })).choices[0]!;
    expect(logprobs!.tokens!.join('')).toBe(text);
    expect(logprobs!.tokens).toHaveLength(7);
    expect(logprobs!.token_logprobs![0]).toBeNull();
    expect(logprobs!.token_logprobs!.slice(1).every((value) => value <= 0)).toBe(true);
    expect(logprobs!.text_offset!.map((at, index) => text.startsWith(logprobs!.tokens![index]!, at))).not.toContain(
      false,
    );
    expect(Object.keys(logprobs!.top_logprobs!.at(-1)!)).toHaveLength(2);
  });

  test('score the chosen token beside the likeliest ones, however unlikely it is', async () => {
    const given = { prompt: 'The sky banana purple', echo: true, max_tokens: 0, logprobs: 1 };
    const { tokens, token_logprobs, top_logprobs } = (await complete(given)).choices[0]!.logprobs!;
    const scored = tokens!.slice(1).map((token, at) => top_logprobs![at + 1]![token]);
    expect(scored).toEqual(token_logprobs!.slice(1));
    expect(top_logprobs!.slice(1).map((likely) => Object.keys(likely).length)).toContain(2);
  });

  test('score a text without adding to it with echo and max_tokens 0', async () => {
    const answer = await complete({ echo: true, logprobs: 0, max_tokens: 0 });
    expect(answer.choices[0]!.text).toBe('The sky is');
    expect(answer.usage!.completion_tokens).toBe(0);
  });

  test('have the same text as a stream, with running totals', async () => {
    const whole = await complete({});
    const body = { model, prompt: 'The sky is', temperature: 0, max_tokens: 4, stream: true as const };
    const stream = await embedded.client.completions.create({ ...body, stream_options: { include_usage: true } });
    const chunks: Completion[] = await collect(stream);
    expect(chunks.map((chunk) => chunk.choices[0]?.text ?? '').join('')).toBe(whole.choices[0]!.text);
    expect(chunks.map((chunk) => chunk.usage!.completion_tokens)).toEqual([0, 1, 2, 3, 4, 4, 4]);
    expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe('length');
  });

  test.each([
    ['suffix', { suffix: 'end' }],
    ['best_of', { best_of: 2 }],
  ])('%s is refused by name', async (param, params) => {
    await expect(complete(params)).rejects.toMatchObject({ status: 400, code: 'unsupported_parameter', param });
  });
});
