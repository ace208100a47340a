import { afterAll, describe, expect, test } from '@jest/globals';
import { loadEncoding } from '../../providers/metering/encoding/loadEncoding.ts';
import type { Json } from '../../providers/provider.ts';
import { startScripted } from '../../rules/scripted/startScripted.ts';
import { readJson } from '../support/streams.ts';

const upstream = await startScripted();
afterAll(() => upstream.stop());

interface Scored {
  token: string;
  logprob: number;
  bytes: number[];
  top_logprobs: Omit<Scored, 'top_logprobs'>[];
}

interface Lists {
  tokens: string[];
  token_logprobs: (number | null)[];
  top_logprobs: (Record<string, number> | null)[];
  text_offset: number[];
}

interface Choice {
  text: string;
  logprobs: Lists | null;
}

async function post(path: string, body: Json): Promise<string> {
  const response = await fetch(`${upstream.url}/${path}`, { method: 'POST', body: JSON.stringify(body) });
  return response.text();
}

const messages = [{ role: 'user', content: JSON.stringify({ scripted: { text: 'one two three' } }) }];

async function scoredChat(more: Json): Promise<Scored[]> {
  const body = JSON.parse(await post('chat/completions', { model: 'm', messages, logprobs: true, ...more })) as {
    choices: { logprobs: { content: Scored[] } }[];
  };
  return body.choices[0]!.logprobs.content;
}

async function complete(more: Json): Promise<Choice[]> {
  const body = JSON.parse(await post('completions', { model: 'm', max_tokens: 3, ...more })) as { choices: Choice[] };
  return body.choices;
}

describe('log probabilities of the scripted upstream', () => {
  test('a token of a chat has as many likely tokens as asked for, the chosen one first', async () => {
    const tokens = await scoredChat({ top_logprobs: 20 });
    expect(tokens.map(({ token }) => token)).toEqual(['one', ' two', ' three']);
    for (const { token, logprob, bytes, top_logprobs: top } of tokens) {
      expect(top).toHaveLength(20);
      expect(top[0]).toEqual({ token, logprob, bytes });
      expect(new Set(top.map((one) => one.token)).size).toBe(20);
      expect(top.map((one) => one.logprob)).toEqual(top.map((one) => one.logprob).toSorted((a, b) => b - a));
      expect(top.reduce((sum, one) => sum + Math.exp(one.logprob), 0)).toBeLessThan(1);
    }
  });

  test('likely tokens are left out unless a chat asks for them', async () => {
    expect((await scoredChat({})).map((token) => token.top_logprobs)).toEqual([[], [], []]);
  });

  test('a completion has the lists of its tokens', async () => {
    const [choice] = await complete({ prompt: 'Say', logprobs: 2 });
    const { tokens, token_logprobs, top_logprobs, text_offset } = choice!.logprobs!;
    expect(tokens.join('')).toBe(choice!.text);
    expect(token_logprobs).toEqual([-0.25, -0.25, -0.25]);
    expect(top_logprobs.map((likely) => Object.keys(likely!).length)).toEqual([2, 2, 2]);
    expect(top_logprobs.map((likely, at) => likely![tokens[at]!])).toEqual(token_logprobs);
    expect(text_offset).toEqual([0, tokens[0]!.length, (tokens[0]! + tokens[1]!).length]);
    expect((await complete({ prompt: 'Say' }))[0]!.logprobs).toBeNull();
  });

  test('an echo precedes the completion of each prompt, and is scored except its first token', async () => {
    const choices = await complete({ prompt: ['Hi there', 'Ho'], n: 2, echo: true, logprobs: 0, max_tokens: 0 });
    expect(choices.map(({ text }) => text)).toEqual(['Hi there', 'Hi there', 'Ho', 'Ho']);
    expect(choices[0]!.logprobs).toEqual({
      tokens: ['Hi', ' there'],
      token_logprobs: [null, -0.25],
      top_logprobs: [null, { ' there': -0.25 }],
      text_offset: [0, 2],
    });
  });

  test('an echo of token numbers is their text, and numbers that are no tokens have none', async () => {
    const tokens = (await loadEncoding()).encode('Hi there');
    const [numbers] = await complete({ prompt: [...tokens, 999_999_999], echo: true, max_tokens: 0 });
    expect(numbers!.text).toBe('Hi there');
  });

  test('a stream has the same text and log probabilities as the whole answer, and an echo costs no output', async () => {
    const asked = { prompt: 'Hi there', echo: true, logprobs: 1 };
    const [whole] = await complete(asked);
    const streamed = { model: 'm', max_tokens: 3, stream: true, stream_options: { include_usage: true } };
    const chunks = readJson<{ choices: Choice[]; usage: Json }>(await post('completions', { ...streamed, ...asked }));
    const parts = chunks.flatMap(({ choices }) => choices);
    expect(parts.map(({ text }) => text).join('')).toBe(whole!.text);
    const lists = parts.flatMap(({ logprobs }) => (logprobs ? [logprobs] : []));
    for (const name of ['tokens', 'token_logprobs', 'top_logprobs', 'text_offset'] as const)
      expect(lists.flatMap((list) => list[name] as unknown[])).toEqual(whole!.logprobs![name]);
    expect(chunks.at(-1)!.usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 3 });
  });
});
