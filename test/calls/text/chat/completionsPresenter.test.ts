import { describe, expect, test } from '@jest/globals';
import type { Completion } from 'openai/resources/completions';
import { createCompletionsPresenter } from '../../../../calls/text/chat/completions.ts';
import { readFrames, readJson } from '../../../support/streams.ts';

const answer = { id: 'cmpl-1', created: 1700000000, modelId: 'swift' };
const usage = { inputTokens: 2, outputTokens: 3 };

describe('a completion stream', () => {
  const logprobs = { tokens: ['a'], token_logprobs: [-1], top_logprobs: [], text_offset: [0] };

  test('has text choices, the reason in the last chunk of each, then requested usage, then [DONE]', () => {
    const presenter = createCompletionsPresenter({ ...answer, choices: 1, includeUsage: true });
    const sent =
      presenter.push([
        { choices: [{ index: 0, text: 'a', logprobs }] },
        { choices: [{ text: '', finish_reason: 'stop' }] },
      ]) + presenter.end({ usage, cutShort: false });
    const chunks = readJson<Completion>(sent);
    expect(chunks.map(({ choices }) => choices)).toEqual([
      [{ index: 0, text: 'a', logprobs, finish_reason: null }],
      [{ index: 0, text: '', logprobs: null, finish_reason: 'stop' }],
      [],
    ]);
    expect(chunks.map(({ usage }) => usage?.total_tokens ?? null)).toEqual([null, null, 5]);
    expect(chunks.every(({ object }) => object === 'text_completion')).toBe(true);
    expect(readFrames(sent).at(-1)!.data).toBe('[DONE]');
  });

  test('that is cut short ends every requested choice with length', () => {
    const presenter = createCompletionsPresenter({ ...answer, choices: 2, includeUsage: false });
    const chunks = readJson<Completion>(presenter.end({ usage, cutShort: true }));
    expect(chunks.map(({ choices }) => [choices[0]!.index, choices[0]!.text, choices[0]!.finish_reason])).toEqual([
      [0, '', 'length'],
      [1, '', 'length'],
    ]);
  });
});
