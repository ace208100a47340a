import { expect, test } from '@jest/globals';
import { presentCompletion } from '../../../../calls/text/chat/completions.ts';

const answer = { id: 'cmpl-1', created: 1700000000, modelId: 'swift' };
const usage = { inputTokens: 2, outputTokens: 3 };

test('a whole completion has every member that typed clients require', () => {
  const reply = { id: 'up', model: 'upstream', choices: [{ text: ' upon', finish_reason: 'length' }, { index: 1 }] };
  expect(presentCompletion(reply, { ...answer, usage })).toMatchObject({
    id: 'cmpl-1',
    object: 'text_completion',
    created: 1700000000,
    model: 'swift',
    choices: [
      { index: 0, text: ' upon', logprobs: null, finish_reason: 'length' },
      { index: 1, text: '', logprobs: null, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
  });
});
