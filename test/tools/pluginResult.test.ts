import { describe, expect, test } from '@jest/globals';
import { resultOf, toolNameOf } from '../../tools/pluginResult.ts';

describe('the name of a plugin’s tool', () => {
  test('joins both names when that is allowed', () => {
    expect(toolNameOf('maps', 'find-route')).toBe('maps__find-route');
    expect(toolNameOf('p'.repeat(31), 't'.repeat(31))).toBe(`${'p'.repeat(31)}__${'t'.repeat(31)}`);
  });

  test.each([
    ['acme/maps', 'find'],
    ['maps', 'find route'],
    ['maps', 'ü'],
    ['p'.repeat(60), 't'.repeat(60)],
  ])("fits OpenAI's limits: %s, %s", (plugin, tool) => {
    expect(toolNameOf(plugin, tool)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  test('differs between tools', () => {
    const long = 'x'.repeat(80);
    const names = [
      toolNameOf('a.b', 'c'),
      toolNameOf('a_b', 'c'),
      toolNameOf('a/b', 'c'),
      toolNameOf(long, 'a'),
      toolNameOf(long, 'b'),
    ];
    expect(new Set(names).size).toBe(names.length);
  });
});

test('an answer of data alone says when long integers may have lost digits', () => {
  const text = (json: string) =>
    resultOf({ content: [], structuredContent: JSON.parse(json) as Record<string, unknown> }).text;
  expect(text('{"id":9007199254740991,"share":0.1,"ids":["9007199254740993"]}')).toBe(
    '{"id":9007199254740991,"share":0.1,"ids":["9007199254740993"]}',
  );
  for (const json of ['{"id":9007199254740993}', '{"ids":[{"id":-9007199254740993}]}'])
    expect(text(json)).toMatch(/^\{.*\}\n\[Integers above 9007199254740991 may have lost their last digits: .*\]$/);
});
