import { describe, expect, test } from '@jest/globals';
import { parseCompletions } from '../../../../calls/text/chat/completionsInput.ts';
import { refusalOf } from '../parameters/refusals.ts';

const body = { model: 'swift', prompt: 'Once' };

describe('a completions request', () => {
  test('reaches the model unchanged, and returns what the platform needs', () => {
    const full = {
      ...body,
      max_tokens: 5,
      n: 2,
      echo: true,
      stream: true,
      stream_options: { include_usage: true },
      x: 1,
    };
    expect(parseCompletions(full)).toEqual({
      model: 'swift',
      stream: true,
      includeUsage: true,
      body: full,
      outputTokensMax: 5,
      choices: 2,
    });
  });

  test.each([
    ['a text', 'Once', 1],
    ['texts', ['Once', 'Twice'], 2],
    ['token numbers', [1, 2, 3], 1],
    ['lists of token numbers', [[1, 2], [3], [4]], 3],
  ])('with %s as prompt generates one sequence per prompt, times n', (_name, prompt, prompts) => {
    expect(parseCompletions({ ...body, prompt, n: 2 }).choices).toBe(prompts * 2);
  });

  test("without a prompt, as OpenAI's client may send it, starts a new document", () => {
    expect(parseCompletions({ model: 'swift', prompt: null, n: 2 })).toMatchObject({ body: { n: 2 }, choices: 2 });
  });

  test('generates best_of sequences per prompt', () => {
    expect(parseCompletions({ ...body, n: 2, best_of: 5 }).choices).toBe(5);
  });

  test('has no refused parameters, and null counts as not sent', () => {
    expect(parseCompletions({ ...body, suffix: null, logprobs: null, stop: null }).body).toEqual(body);
  });
});

describe('an invalid completions request is refused with', () => {
  test.each([
    ['an empty prompt list', { ...body, prompt: [] }, 'empty_array', 'prompt'],
    ['an object as prompt', { ...body, prompt: {} }, 'invalid_type', 'prompt'],
    ['a mixed prompt', { ...body, prompt: ['a', 1] }, 'invalid_type', 'prompt[1]'],
    ['a negative first token', { ...body, prompt: [-1] }, 'integer_below_min_value', 'prompt[0]'],
    ['a negative token', { ...body, prompt: [[1], [-1]] }, 'integer_below_min_value', 'prompt[1][0]'],
    ['logprobs 6', { ...body, logprobs: 6 }, 'integer_above_max_value', 'logprobs'],
    ['best_of below n', { ...body, n: 3, best_of: 2 }, 'invalid_value', 'best_of'],
    ['best_of in a stream', { ...body, best_of: 2, stream: true }, 'invalid_value', 'best_of'],
    ['stream_options alone', { ...body, stream_options: {} }, 'invalid_value', 'stream_options'],
  ])('%s', (_name, wrong, code, param) => {
    expect(refusalOf(parseCompletions, wrong)).toMatchObject({ code, param });
  });
});
