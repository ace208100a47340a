import { describe, expect, test } from '@jest/globals';
import { toolInstructions } from '../../../engines/text/tools.ts';
import {
  beginningOf,
  countPromptTokens,
  countTokens,
  createTokenMemory,
  endOfPiece,
  estimatePromptTokens,
} from '../../../providers/metering/tokens.ts';

describe('countTokens', () => {
  test.each([
    ['', 0],
    ['hello world', 2],
    ['antidisestablishmentarianism', 6],
    ['2 + 2 = 4', 7],
    ['お誕生日おめでとう', 8],
  ])('counts %j as o200k_base does', async (text, tokens) => {
    expect(await countTokens(text)).toBe(tokens);
  });

  test('counts the name of a special token as plain text', async () => {
    expect(await countTokens('<|endoftext|>')).toBeGreaterThan(1);
  });

  test('counts a long text like the sum of its sentences', async () => {
    const sentence = 'The quick brown fox jumps over the lazy dog.';
    const one = await countTokens(sentence);
    expect(await countTokens(Array.from({ length: 5000 }, () => sentence).join(' '))).toBe(one * 5000);
  });

  test.each([
    ['an endless word', () => countTokens('a'.repeat(400_000)), 50_000],
    ['many short texts', () => countPromptTokens({ input: Array.from({ length: 50_000 }, () => 'hi') }), 50_000],
    ['one text again and again', () => countRemembered('hi', 50_000), 50_000],
  ])('lets other work run while it counts %s', async (_name, count, tokens) => {
    await countTokens('The encoding is loaded.');
    let turns = 0;
    let isCounting = true;
    const takeTurn = (): void => {
      turns += 1;
      if (isCounting) setImmediate(takeTurn);
    };
    setImmediate(takeTurn);
    expect(await count()).toBe(tokens);
    isCounting = false;
    expect(turns).toBeGreaterThan(40);
  });
});

async function countRemembered(text: string, times: number): Promise<number> {
  const count = createTokenMemory(2);
  let tokens = 0;
  for (let time = 0; time < times; time += 1) tokens += await count(text);
  return tokens;
}

describe('countPromptTokens', () => {
  test('adds three for each message and three for the reply', async () => {
    const messages = [
      { role: 'system', content: 'hello world' },
      { role: 'user', content: [{ type: 'text', text: 'hello world' }] },
    ];
    expect(await countPromptTokens({ messages })).toBe(3 + 2 * (3 + 1 + 2));
  });

  test('counts names, tool calls and tools', async () => {
    const plain = await countPromptTokens({ messages: [{ role: 'user', content: 'hi' }] });
    expect(await countPromptTokens({ messages: [{ role: 'user', content: 'hi', name: 'bob' }] })).toBe(plain + 2);
    const toolCalls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }];
    const withCalls = {
      messages: [{ role: 'assistant', content: null, tool_calls: toolCalls }],
      tools: [{ type: 'function' }],
    };
    expect(await countPromptTokens(withCalls)).toBeGreaterThan(plain + 10);
  });

  test('counts an image of unknown size as 85 tokens', async () => {
    const content = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(10_000)}` } }];
    expect(await countPromptTokens({ messages: [{ role: 'user', content }] })).toBe(3 + 3 + 1 + 85);
  });

  test.each([
    [{ prompt: 'hello world' }, 2],
    [{ prompt: ['hello world', 'hello'] }, 3],
    [{ prompt: [1, 2, 3] }, 3],
    [{ input: [[1, 2], [3]] }, 3],
    [{}, 0],
  ])('counts the prompt or input of %j', async (body, tokens) => {
    expect(await countPromptTokens(body)).toBe(tokens);
  });
});

test('estimatePromptTokens is at least the count for text in common languages', async () => {
  for (const text of [
    'The quick brown fox jumps over the lazy dog.',
    '東京は今日も晴れです。',
    'Съешь ещё этих мягких булок.',
  ]) {
    const body = { messages: [{ role: 'user', content: text }] };
    const estimate = estimatePromptTokens(Buffer.byteLength(JSON.stringify(body)));
    expect(estimate).toBeGreaterThanOrEqual(await countPromptTokens(body));
  }
});

test('estimatePromptTokens includes a reserve for hidden instructions in a short request', async () => {
  const tool = { type: 'function' as const, function: { name: 'now' } };
  const messages = [{ role: 'user', content: 'What time is it?' }];
  const estimate = estimatePromptTokens(Buffer.byteLength(JSON.stringify({ messages, tools: [tool] })));
  const system = `You are a helpful assistant.\n\n${toolInstructions([tool])}`;
  const counted = await countPromptTokens({ messages: [{ role: 'system', content: system }, ...messages] });
  expect(estimate - counted).toBeGreaterThan(100);
});

test('a remembered count is the count, also of a text that was forgotten', async () => {
  const count = createTokenMemory(2);
  for (const text of ['', 'one', 'two words', 'one', 'three more words', 'two words', 'one'])
    expect(await count(text)).toBe(await countTokens(text));
});

test('a text that is cut within a character leaves nothing of it before the next text', async () => {
  // " 🎉" has two tokens: the first one ends within the character.
  for (let cuts = 0; cuts < 2; cuts += 1) expect(await beginningOf(' 🎉', 1)).toBe(' ');
  expect(await beginningOf(' 🎉 yes', 2)).toBe(' 🎉');
});

test('a text is cut at its tokens beyond the first piece, and keeps half a surrogate pair', async () => {
  const word = ' \uD83C and';
  const tokens = await countTokens(word);
  const text = word.repeat(3_000);
  expect(await beginningOf(text, tokens * 2_000)).toBe(word.repeat(2_000));
  expect(await beginningOf(text, tokens * 3_000)).toBe(text);
});

test('the end of a piece is searched in the piece alone, not in all the text before it again', () => {
  const whole = () => {
    throw new Error('searched the whole text');
  };
  const text = Object.assign(Object('a'.repeat(20_000)), { lastIndexOf: whole }) as string;
  expect(endOfPiece(text, 8_000)).toBe(16_000);
  expect(endOfPiece(`${'a'.repeat(9_000)} ${'a'.repeat(9_000)}`, 8_000)).toBe(9_000);
});
