import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { AnswerReader, CallReader } from '../../../engines/text/callReader.ts';
import { renderCall } from '../../../engines/text/tools.ts';

interface Call {
  name: string;
  arguments: string;
}

function read(pieces: string[]): { calls: Call[]; reader: CallReader } {
  const reader = new CallReader();
  const calls: Call[] = [];
  for (const delta of pieces.flatMap((piece) => reader.push(piece))) {
    if (delta.function.name) calls[delta.index] = { name: delta.function.name, arguments: '' };
    calls[delta.index]!.arguments += delta.function.arguments;
  }
  return { calls, reader };
}

describe('tool calls', () => {
  test('are read the same however their text is split, whatever their arguments contain', () => {
    const input = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(input, input, fc.integer({ min: 1, max: 9 }), (first, second, size) => {
        const text = `${renderCall('one', first)}\n${renderCall('two', second)}`;
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
        expect(read(pieces).calls).toEqual([
          { name: 'one', arguments: first },
          { name: 'two', arguments: second },
        ]);
      }),
    );
  });

  test('are sent as one entry of an index at a time, because clients read only the first', () => {
    const text = `${renderCall('one', '{"a": 1}')}\n${renderCall('two', '{"b": 2}')}`;
    for (const size of [1, 7, 40, 1000]) {
      const reader = new CallReader();
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
      const sent = pieces.map((piece) => reader.push(piece).map(({ index }) => index));
      expect(new Set(sent.flat())).toEqual(new Set([0, 1]));
      for (const indexes of sent) expect(indexes).toEqual([...new Set(indexes)]);
    }
  });

  test('that repeat an earlier call are hidden and reported', () => {
    const call = renderCall('one', '{"a": 1}');
    const { calls, reader } = read([call, '\n', call]);
    expect(calls).toEqual([{ name: 'one', arguments: '{"a": 1}' }]);
    expect(reader.repeatsItself).toBe(true);
  });

  test('that are cut off return the first part', () => {
    expect(read([renderCall('one', '{"a": 1}').slice(0, -14)]).calls).toEqual([{ name: 'one', arguments: '{"a": 1' }]);
  });
});

describe('an answer that is a call', () => {
  const shown = (text: string, size: number) => {
    const reader = new AnswerReader('answerCall');
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!.map((piece) => reader.push(piece));
    return { reader, content: pieces.map(({ content }) => content), calls: pieces.flatMap(({ calls }) => calls) };
  };

  test('is read as its text however that is split', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (said, size, escapes) => {
          const json = JSON.stringify(said);
          const ascii = json.replaceAll(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
          const { content, calls, reader } = shown(renderCall('answer', `{"text": ${escapes ? ascii : json}}`), size);
          expect(content.join('')).toBe(said);
          expect(calls).toEqual([]);
          expect(reader.isCall).toBe(false);
        },
      ),
    );
  });

  test('never shows half a character, which would be lost on the way', () => {
    const { content } = shown(renderCall('answer', '{"text": "a \\ud83d\\ude00 b"}'), 1);
    expect(content.every((piece) => piece.isWellFormed())).toBe(true);
    expect(content.join('')).toBe('a 😀 b');
  });

  test('is told from a call of a tool', () => {
    const { content, calls, reader } = shown(renderCall('answers', '{"text": "x"}'), 3);
    expect(content.join('')).toBe('');
    expect(calls[0]).toMatchObject({ function: { name: 'answers' } });
    expect(reader.isCall).toBe(true);
  });
});
