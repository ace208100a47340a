import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { CallReader } from '../../../model/text/callReader.ts';
import { renderCall } from '../../../model/text/tools.ts';

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
  test('are read the same however their text is cut, whatever their arguments hold', () => {
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

  test('come as one entry of an index at a time: clients read the first alone', () => {
    const text = `${renderCall('one', '{"a": 1}')}\n${renderCall('two', '{"b": 2}')}`;
    for (const size of [1, 7, 40, 1000]) {
      const reader = new CallReader();
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
      for (const deltas of pieces.map((piece) => reader.push(piece))) {
        const indexes = deltas.map(({ index }) => index);
        expect(indexes).toEqual([...new Set(indexes)]);
      }
    }
  });

  test('that repeat an earlier call are hidden and reported', () => {
    const call = renderCall('one', '{"a": 1}');
    const { calls, reader } = read([call, '\n', call]);
    expect(calls).toEqual([{ name: 'one', arguments: '{"a": 1}' }]);
    expect(reader.repeatsItself).toBe(true);
  });

  test('that are cut off return the part of the first', () => {
    expect(read([renderCall('one', '{"a": 1}').slice(0, -14)]).calls).toEqual([{ name: 'one', arguments: '{"a": 1' }]);
  });
});
