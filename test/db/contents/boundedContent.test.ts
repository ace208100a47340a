import { describe, expect, test } from '@jest/globals';
import { boundContent, CONTENT_CHARS_MAX } from '../../../db/contents/boundedContent.ts';
import { parseExact } from '../../../base/json.ts';

describe('a content', () => {
  test('that is small stays as it is, long integers included', () => {
    const body = { seed: 7, messages: [{ role: 'user', content: 'Hello' }], none: null };
    expect(boundContent(body)).toEqual({ value: body, isCut: false });
    const exact = boundContent(parseExact('{"seed":12345678901234567890}')).value;
    expect(JSON.stringify(exact)).toBe('{"seed":12345678901234567890}');
    expect(boundContent(null)).toEqual({ value: null, isCut: false });
  });

  test('has the type and size of encoded media in their place, but texts and addresses as they are', () => {
    const encoded = Buffer.alloc(3_000).toString('base64');
    const body = {
      image_url: { url: `data:image/png;base64,${encoded}` },
      input_audio: { data: encoded },
      data: `A long text ${'with spaces '.repeat(100)}`,
      url: 'https://example.com/cat.png',
      embedding: Array.from({ length: 100 }, (_, at) => at),
    };
    expect(boundContent(body).value).toEqual({
      image_url: { url: '[omitted: image/png, 3000 bytes]' },
      input_audio: { data: '[omitted: 3000 bytes]' },
      data: body.data,
      url: body.url,
      embedding: '[omitted: 100 numbers]',
    });
  });

  test('that is large keeps its short texts, and as much of the long ones as fits', () => {
    const messages = [
      { role: 'user', content: 'short' },
      { role: 'user', content: 'a'.repeat(400_000) },
      { role: 'user', content: '"\n'.repeat(200_000) },
    ];
    const { value, isCut } = boundContent({ messages });
    expect(isCut).toBe(true);
    const kept = (value as { messages: { content: string }[] }).messages;
    expect(kept[0]!.content).toBe('short');
    expect(kept[1]!.content).toMatch(/^a{50000,}…$/);
    expect(JSON.stringify(value).length).toBeLessThanOrEqual(CONTENT_CHARS_MAX);
  });

  test('of too many parts is kept as the beginning of its JSON', () => {
    const { value, isCut } = boundContent({ input: Array.from({ length: 100_000 }, (_, at) => `text ${at}`) });
    expect(isCut).toBe(true);
    expect(value).toMatch(/^\{"input":\["text 0","text 1"/);
    expect((value as string).length).toBe(CONTENT_CHARS_MAX + 1);
  });

  test('is cut between characters, never within one', () => {
    for (const before of ['', 'a', 'aa', 'aaa']) {
      const faces = `${before}${'😀'.repeat(200_000)}`;
      expect((boundContent({ input: faces }).value as { input: string }).input.isWellFormed()).toBe(true);
      const names = Object.fromEntries(
        Array.from({ length: 3_000 }, (_, at) => [`${before}${'😀'.repeat(99)}${at}`, 1]),
      );
      expect((boundContent(names).value as string).isWellFormed()).toBe(true);
    }
  });
});
