import { afterAll, describe, expect, test } from '@jest/globals';
import type { ChatCompletionChunk, ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import { collect } from '../../support/streams.ts';
import { embeddedModelId as model, startEmbeddedModel } from '../../support/embeddedModel.ts';

const embedded = await startEmbeddedModel();
afterAll(() => embedded.stop());

type Params = Partial<ChatCompletionCreateParamsNonStreaming> & Record<string, unknown>;
const question = [{ role: 'user' as const, content: 'What is the capital of France?' }];

function ask(params: Params = {}) {
  return embedded.client.chat.completions.create({ model, messages: question, temperature: 0, ...params });
}

async function chunksOf(params: Params = {}): Promise<ChatCompletionChunk[]> {
  const body = { model, messages: question, temperature: 0, ...params, stream: true as const };
  return collect(await embedded.client.chat.completions.create(body));
}

describe('a whole answer', () => {
  test('answers a question correctly', async () => {
    const answer = await ask();
    expect(answer.choices[0]!.message.content).toContain('Paris');
    expect(answer.choices[0]!.finish_reason).toBe('stop');
    expect(answer.usage!.total_tokens).toBe(answer.usage!.prompt_tokens + answer.usage!.completion_tokens);
  });

  test('counts the prompt with its template: a longer message costs more tokens', async () => {
    const [short, long] = await Promise.all([
      ask({ max_tokens: 1, messages: [{ role: 'user', content: 'cat' }] }),
      ask({ max_tokens: 1, messages: [{ role: 'user', content: 'cat cat cat cat' }] }),
    ]);
    expect(long.usage!.prompt_tokens - short.usage!.prompt_tokens).toBe(3);
  });

  test.each(['max_tokens', 'max_completion_tokens'])('ends with reason length at %s', async (name) => {
    const answer = await ask({ [name]: 3 });
    expect(answer.choices[0]!.finish_reason).toBe('length');
    expect(answer.usage!.completion_tokens).toBe(3);
  });

  test('ends before a stop text, also when it spans tokens', async () => {
    const answer = await ask({ stop: ['of Fra', 'never'] });
    expect(answer.choices[0]!.message.content).toBe('The capital ');
    expect(answer.choices[0]!.finish_reason).toBe('stop');
  });

  test('has n choices, which the same seed reproduces', async () => {
    const params = { n: 3, seed: 11, temperature: 1.2, max_tokens: 6 };
    const [one, other] = [await ask(params), await ask(params)];
    const texts = one.choices.map((choice) => choice.message.content);
    expect(one.choices.map((choice) => choice.index)).toEqual([0, 1, 2]);
    expect(new Set(texts).size).toBeGreaterThan(1);
    expect(other.choices.map((choice) => choice.message.content)).toEqual(texts);
  });

  test('does not contain a banned token, and contains a favoured one', async () => {
    const { choices } = await ask({ logprobs: true, top_logprobs: 1, max_tokens: 1 });
    const { client } = embedded;
    expect(choices[0]!.message.content).toBe('The');
    // 504 is "The" in this model's vocabulary.
    const banned = await client.chat.completions.create({
      model,
      messages: question,
      temperature: 0,
      max_tokens: 1,
      logit_bias: { 504: -100 },
    });
    const wanted = await ask({ logit_bias: { 504: 100 }, max_tokens: 3 });
    expect(banned.choices[0]!.message.content).not.toBe('The');
    expect(wanted.choices[0]!.message.content).toBe('TheTheThe');
  });

  test('a frequency penalty ends the repetition of a forced word', async () => {
    const bias = { logit_bias: { 504: 40 }, max_tokens: 24 };
    const free = await ask({ ...bias, frequency_penalty: 0 });
    const penalised = await ask({ ...bias, frequency_penalty: 2 });
    const count = (text: string | null) => (text ?? '').split('The').length - 1;
    expect(count(penalised.choices[0]!.message.content)).toBeLessThan(count(free.choices[0]!.message.content));
  });

  test("has the model's own log probabilities: independent of temperature, and summing to at most 1", async () => {
    const params = { logprobs: true, top_logprobs: 5, max_tokens: 4, seed: 1 };
    const cold = (await ask({ ...params, temperature: 0 })).choices[0]!.logprobs!.content!;
    const warm = (await ask({ ...params, temperature: 0.7, top_p: 0.01 })).choices[0]!.logprobs!.content!;
    expect(cold).toHaveLength(4);
    cold.forEach((entry, at) => expect(warm[at]!.logprob).toBeCloseTo(entry.logprob, 2));
    for (const { token, logprob, bytes, top_logprobs: top } of cold) {
      expect(Buffer.from(bytes!).toString()).toBe(token);
      expect(top).toHaveLength(5);
      expect(top[0]!.logprob).toBeGreaterThanOrEqual(logprob);
      expect(top.reduce((sum, rival) => sum + Math.exp(rival.logprob), 0)).toBeLessThanOrEqual(1.0001);
    }
  });

  test.each<[string, Params]>([
    ['no parameters', {}],
    ['a presence penalty', { presence_penalty: 1.5 }],
    ['a frequency penalty', { frequency_penalty: -1, presence_penalty: 0.5 }],
    ['biases', { logit_bias: { 504: -100, 28: 4 } }],
  ])('with %s, the token at temperature 0 is the most likely by its own log probability', async (_what, params) => {
    const messages = [{ role: 'user' as const, content: 'Count from 1 to 20, and then count from 1 to 20 again.' }];
    const asked = { messages, logprobs: true, top_logprobs: 3, max_tokens: 60 };
    const tokens = (await ask({ ...asked, ...params })).choices[0]!.logprobs!.content!;
    const chosen = tokens.map(({ logprob }) => logprob);
    const likeliest = tokens.map(({ top_logprobs: top }) => top[0]!.logprob);
    chosen.forEach((logprob, at) => expect([at, likeliest[at]! - logprob]).toEqual([at, expect.closeTo(0, 2)]));
    expect(tokens.length).toBeGreaterThan(20);
  });

  test('accepts every role, and content in parts', async () => {
    const answer = await ask({
      max_tokens: 2,
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Weather in ' },
            { type: 'text', text: 'Oslo?' },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
      ],
    });
    expect(answer.usage!.completion_tokens).toBe(2);
  });

  test('accepts calls and their answers in the older form too, and the text of refusals', async () => {
    const before = { role: 'user' as const, content: 'Weather in Oslo?' };
    const called = { name: 'weather', arguments: '{"city":"Oslo"}' };
    const conversations: ChatCompletionCreateParamsNonStreaming['messages'][][] = [
      [
        [
          { role: 'assistant', content: null, function_call: called },
          { role: 'function', name: 'weather', content: 'Rain' },
        ],
        [
          { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: called }] },
          { role: 'tool', tool_call_id: 'c', content: 'Rain' },
        ],
      ],
      [
        [{ role: 'assistant', content: null, refusal: 'I must not say.' }],
        [{ role: 'assistant', content: [{ type: 'refusal', refusal: 'I must not say.' }] }],
      ],
    ];
    for (const forms of conversations) {
      const answers = await Promise.all(forms.map((rest) => ask({ max_tokens: 4, messages: [before, ...rest] })));
      const [older, newer] = answers.map(({ choices, usage }) => [choices[0]!.message.content, usage]);
      expect(older).toEqual(newer);
    }
  });

  test('accepts the name of every role that may have one', async () => {
    for (const role of ['system', 'developer', 'user', 'assistant'] as const) {
      const said = (message: object) => ask({ max_tokens: 1, messages: [{ role, ...message } as never, ...question] });
      const [named, written] = await Promise.all([said({ name: 'bob', content: 'Hi' }), said({ content: 'bob: Hi' })]);
      expect([role, named.usage]).toEqual([role, written.usage]);
    }
  });

  test('accepts parameters that change nothing: the default verbosity, and prompt cache retention', async () => {
    const plain = await ask({ max_tokens: 4 });
    const same = await ask({
      max_tokens: 4,
      verbosity: 'medium',
      prompt_cache_retention: '24h',
      prompt_cache_options: { mode: 'implicit' },
    });
    expect(same.choices).toEqual(plain.choices);
  });

  test('treats a marker in a message as text, not as a new role', async () => {
    const tokens = async (content: string) =>
      (await ask({ max_tokens: 1, messages: [{ role: 'user', content }] })).usage!.prompt_tokens;
    expect((await tokens('<|im_end|>')) - (await tokens('cat'))).toBeGreaterThan(2);
  });
});

describe('a streamed answer', () => {
  test('starts with the role, has one token per chunk, and has the same text as a whole one', async () => {
    const whole = await ask();
    const chunks = await chunksOf();
    expect(chunks[0]!.choices[0]!.delta.role).toBe('assistant');
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(
      whole.choices[0]!.message.content,
    );
    expect(chunks.at(-1)!.choices[0]!.finish_reason).toBe('stop');
    expect(chunks.length).toBe(whole.usage!.completion_tokens + 2);
    expect(chunks.every((chunk) => !('usage' in chunk))).toBe(true);
    expect(new Set(chunks.map(({ id, created, model: name }) => `${id} ${created} ${name}`)).size).toBe(1);
  });

  test('has running totals on every chunk, so that a cut stream can be billed', async () => {
    const chunks = await chunksOf({ stream_options: { include_usage: true }, max_tokens: 4 });
    expect(chunks.map((chunk) => chunk.usage!.completion_tokens)).toEqual([0, 1, 1, 2, 3, 4, 4, 4]);
    expect(new Set(chunks.map((chunk) => chunk.usage!.prompt_tokens)).size).toBe(1);
    expect(chunks.at(-1)!.choices).toEqual([]);
  });

  test('has usage only in the last chunk when running totals are disabled', async () => {
    const options = { include_usage: true, continuous_usage_stats: false };
    const chunks = await chunksOf({ stream_options: options, max_tokens: 2 });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    expect(chunks.at(-1)!.usage!.completion_tokens).toBe(2);
  });

  test('has a role, a text and an end for each of n choices', async () => {
    const chunks = await chunksOf({ n: 2, max_tokens: 2 });
    for (const index of [0, 1]) {
      const own = chunks.filter((chunk) => chunk.choices[0]!.index === index);
      expect(own[0]!.choices[0]!.delta.role).toBe('assistant');
      expect(own.at(-1)!.choices[0]!.finish_reason).toBe('length');
    }
  });
});

describe('refusals', () => {
  test.each<[string, Params, string, string]>([
    ['an unknown parameter', { mood: 'good' }, 'unsupported_parameter', 'mood'],
    [
      'an image',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
      'unsupported_parameter',
      'messages[0].content[0].type',
    ],
    [
      'too many messages for the context',
      { messages: [{ role: 'user', content: 'word '.repeat(5000) }] },
      'context_length_exceeded',
      'messages',
    ],
    [
      'a text of more tokens than a call of a function may have arguments',
      { messages: [{ role: 'user', content: ' a'.repeat(200_000) }] },
      'context_length_exceeded',
      'messages',
    ],
    [
      'a member of a message that it does not read',
      { messages: [{ role: 'assistant', content: 'The sky is', prefix: true } as never] },
      'unsupported_parameter',
      'messages[0].prefix',
    ],
    [
      'a member of a part that it does not read',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', weight: 2 } as never] }] },
      'unsupported_parameter',
      'messages[0].content[0].weight',
    ],
    ['another verbosity than the usual one', { verbosity: 'low' }, 'unsupported_parameter', 'verbosity'],
    ['a temperature out of range', { temperature: 3 }, 'invalid_value', 'temperature'],
    ['a tool choice without tools', { tool_choice: 'required' }, 'invalid_value', 'tool_choice'],
    ['a bias for a token that does not exist', { logit_bias: { 999999: 1 } }, 'invalid_value', 'logit_bias'],
  ])('%s is refused by name, streamed or not', async (_what, params, code, param) => {
    for (const stream of [false, true]) {
      await expect(ask({ ...params, stream: stream as false })).rejects.toMatchObject({ status: 400, code, param });
    }
  });

  test('a stream with obfuscation is refused by name', async () => {
    await expect(chunksOf({ stream_options: { include_obfuscation: true } })).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_parameter',
      param: 'stream_options.include_obfuscation',
    });
    await expect(chunksOf({ max_tokens: 1, stream_options: { include_obfuscation: false } })).resolves.not.toEqual([]);
  });

  test('another model answers 404', async () => {
    await expect(ask({ model: 'gpt-4o' })).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  });
});
