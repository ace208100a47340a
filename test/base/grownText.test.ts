import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { grownText } from '../../base/grownText.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

// As the reads of an upstream: each piece is cut out of one.
const read = (at: number) => `data: {"content":"a piece that is long enough to be a part of it ${at}"}\n\n`.repeat(20);

test('a text that grew by many pieces takes little more memory than its characters', () => {
  const grow = () => {
    let text = '';
    for (let at = 0; at < 2_000; at += 1) {
      const lines = read(at);
      for (let line = 0; line < 5; line += 1) text = grownText(text, lines.slice(18 + line * 70, 18 + line * 70 + 20));
    }
    return text;
  };
  grow();
  collect();
  const before = process.memoryUsage().heapUsed;
  const texts = Array.from({ length: 10 }, grow);
  collect();
  const taken = process.memoryUsage().heapUsed - before;
  expect(texts.every(({ length }) => length === 200_000)).toBe(true);
  expect(taken / 2_000_000).toBeLessThan(3);
});

test('holds exactly its pieces', () => {
  const pieces = Array.from({ length: 20_000 }, (_, at) => `${at} ü\ud83d\ude00`);
  expect(pieces.reduce(grownText, '')).toBe(pieces.join(''));
});
