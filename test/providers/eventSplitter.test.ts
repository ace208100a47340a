import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { EventSplitter } from '../../providers/openai/eventSplitter.ts';

const event = fc.record({
  text: fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\r\n]/g, '')),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  space: fc.constantFrom('', ' '),
  before: fc.constantFrom('', ': keep-alive\n\n', 'event: message\n', 'id: 7\r\nretry: 10\r\n', ':\n'),
});

function split(bytes: Buffer, cuts: number[]): string[] {
  const splitter = new EventSplitter();
  const points = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  const found = points.slice(1).flatMap((end, index) => splitter.push(bytes.subarray(points[index], end)));
  return [...found, ...splitter.end()];
}

describe('EventSplitter', () => {
  test('finds the same events wherever the network cuts the bytes', () => {
    fc.assert(
      fc.property(fc.array(event), fc.array(fc.nat()), (events, cuts) => {
        const bytes = Buffer.from(
          events
            .map(({ text, lineEnd, space, before }) => `${before}data:${space}${text}${lineEnd}${lineEnd}`)
            .join(''),
        );
        const whole = new EventSplitter().push(bytes);
        expect(whole).toHaveLength(events.length);
        expect(split(bytes, cuts)).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  test('returns each text as sent, one byte at a time', () => {
    const texts = ['{"content":"Grüße, 世界 👩‍🚀"}', '', '[DONE]'];
    const bytes = Buffer.from(texts.map((text) => `data: ${text}\r\n\r\n`).join(''));
    const splitter = new EventSplitter();
    expect([...bytes].flatMap((byte) => splitter.push(Buffer.of(byte)))).toEqual(texts);
  });

  test('joins several data lines of one event with a line feed', () => {
    expect(new EventSplitter().push(Buffer.from('data: {"a":\ndata: 1}\n\n'))).toEqual(['{"a":\n1}']);
  });

  test('skips comments, other fields and empty events', () => {
    expect(new EventSplitter().push(Buffer.from(': ping\n\nevent: x\nid: 1\n\ndatax: 1\n\ndata: yes\n\n'))).toEqual([
      'yes',
    ]);
  });

  test('returns a last event without its blank line only at the end of the stream', () => {
    const splitter = new EventSplitter();
    expect(splitter.push(Buffer.from('data: [DONE]'))).toEqual([]);
    expect(splitter.end()).toEqual(['[DONE]']);
  });

  test('leaves out a byte order mark before the first event, wherever the network cuts it, and only there', () => {
    const bytes = Buffer.from('\uFEFFdata: \uFEFFone\n\ndata: two\n\n\uFEFFdata: three\n\n');
    for (let at = 0; at < bytes.length; at++) expect(split(bytes, [at])).toEqual(['\uFEFFone', 'two']);
  });

  test.each(['data: ', 'data: x\ndata: '])('refuses a frame above 4 MiB that begins with %j', (start) => {
    const splitter = new EventSplitter();
    const fill = () => {
      splitter.push(Buffer.from(start));
      for (let index = 0; index < 65; index += 1) splitter.push(Buffer.alloc(64 * 1024, 'x'));
    };
    expect(fill).toThrow(/above 4 MiB/);
  });

  test('accepts any number of small frames', () => {
    const splitter = new EventSplitter();
    const chunk = Buffer.from(`data: ${'x'.repeat(60_000)}\n\n`);
    const found = Array.from({ length: 100 }, () => splitter.push(chunk)).flat();
    expect(found).toHaveLength(100);
  });
});
