import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readUsage } from '../../../providers/metering/readUsage.ts';

const bounds = { inputTokensMax: 1_000, outputTokensMax: 100 };
const read = (usage: unknown) => readUsage(usage, bounds);

test.each([
  ['without a total', { prompt_tokens: 9, completion_tokens: 20 }, 20],
  ['of which the total is the sum', { prompt_tokens: 9, completion_tokens: 20, total_tokens: 29 }, 20],
  ['whose reasoning stands beside, in the total', { prompt_tokens: 9, completion_tokens: 20, total_tokens: 59 }, 50],
  [
    'whose reasoning is a part of it',
    { prompt_tokens: 9, completion_tokens: 50, total_tokens: 59, completion_tokens_details: { reasoning_tokens: 30 } },
    50,
  ],
  [
    'whose reasoning stands beside and in no total',
    { prompt_tokens: 9, completion_tokens: 20, completion_tokens_details: { reasoning_tokens: 30 } },
    50,
  ],
  ['whose total is too small', { prompt_tokens: 9, completion_tokens: 20, total_tokens: 4 }, 20],
])('the output of a usage %s', (_, usage, outputTokens) => {
  expect(read(usage)).toMatchObject({ inputTokens: 9, outputTokens });
});

test.each([
  ['is not there', undefined],
  ['is null', null],
  ['is a list', [1, 2]],
  ['has texts for counts', { prompt_tokens: '9', completion_tokens: '20' }],
  ['has no output', { prompt_tokens: 9 }],
  ['is negative', { prompt_tokens: -9, completion_tokens: 20 }],
  ['has a part of a token', { prompt_tokens: 9, completion_tokens: 20.5 }],
  ['has more output than possible', { prompt_tokens: 9, completion_tokens: 101 }],
  ['has more in its total than possible', { prompt_tokens: 9, completion_tokens: 20, total_tokens: 1e6 }],
  ['has a longer prompt than possible', { prompt_tokens: 1_001, completion_tokens: 20 }],
])('a usage that %s is ignored', (_, usage) => {
  expect(read(usage)).toBeUndefined();
});

test('parts of the prompt are counted separately, unless they exceed the prompt', () => {
  const readDetails = (details: object) =>
    read({ prompt_tokens: 90, completion_tokens: 1, prompt_tokens_details: details })!;
  expect(readDetails({ cached_tokens: 60, cache_write_tokens: 30 })).toMatchObject({
    cachedInputTokens: 60,
    cacheWriteTokens: 30,
  });
  expect(readDetails({ cached_tokens: 91 }).cachedInputTokens).toBeUndefined();
  expect(readDetails({ cached_tokens: 60, cache_write_tokens: 31 }).cacheWriteTokens).toBeUndefined();
});

test('any reported usage is within its bounds or ignored', () => {
  const count = fc.oneof(fc.integer(), fc.double(), fc.string(), fc.constant(null));
  const anyUsage = fc.record(
    {
      prompt_tokens: count,
      completion_tokens: count,
      total_tokens: count,
      prompt_tokens_details: fc.oneof(fc.anything(), fc.record({ cached_tokens: count, cache_write_tokens: count })),
      completion_tokens_details: fc.oneof(fc.anything(), fc.record({ reasoning_tokens: count })),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(anyUsage, (any) => {
      const usage = read(any);
      if (!usage) return;
      const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
      expect(inputTokens).toBeGreaterThanOrEqual(cachedInputTokens + cacheWriteTokens);
      expect(outputTokens).toBeGreaterThanOrEqual(0);
      expect(outputTokens).toBeLessThanOrEqual(bounds.outputTokensMax);
    }),
  );
});
