import { describe, expect, test } from '@jest/globals';
import { TextBuffer } from '../../../api/speechInput/textBuffer.ts';
import { seededRandom } from '../../support/random.ts';

const sentence = 'The quick brown fox jumped over the lazy dog. ';
/** Words of five characters with their space. */
const words = (count: number) => 'word '.repeat(count);

describe('the schedule', () => {
  test('the first chunk waits for 120 characters, the second for 160, then 250, then 290', () => {
    const buffer = new TextBuffer();
    const lengths: number[] = [];
    for (let sent = 0; sent < 1_500; sent += 5) for (const chunk of buffer.add(words(1))) lengths.push(chunk.length);
    expect(lengths).toEqual([120, 160, 250, 290, 290, 290]);
  });

  test('an own one counts from the first chunk', () => {
    const buffer = new TextBuffer({ schedule: [50, 60] });
    expect(buffer.add(words(9))).toEqual([]);
    expect(buffer.add(words(1))).toEqual([words(10)]);
    expect(buffer.add(words(11))).toEqual([]);
    expect(buffer.add(words(1))).toEqual([words(12)]);
  });

  test('a chunk ends after a sentence, else after a clause, else between words, and never within a word', () => {
    const buffer = new TextBuffer({ schedule: [60] });
    expect(buffer.add(`${sentence}And then it slept`)).toEqual([sentence]);
    expect(buffer.add(' for a long time, as lazy dogs do in summ')).toEqual([]);
    expect(buffer.add('er when it is hot and dry and nothing at all happ')).toEqual([
      'And then it slept for a long time, ',
      'as lazy dogs do in summer when it is hot and dry and nothing at all ',
    ]);
    expect(buffer.flush()).toEqual(['happ']);
  });

  test('an abbreviation ends no sentence', () => {
    const buffer = new TextBuffer({ schedule: [50] });
    expect(buffer.add('She said: ask the other doctor, he knows more, Dr. ')).toEqual([
      'She said: ask the other doctor, he knows more, ',
    ]);
  });

  test('a text without spaces is cut all the same, between whole characters', () => {
    const buffer = new TextBuffer();
    const chunks = [...buffer.add('x' + '😀'.repeat(600)), ...buffer.flush()];
    expect(chunks.join('')).toBe('x' + '😀'.repeat(600));
    expect(chunks.every((chunk) => chunk.length <= 500 && chunk.isWellFormed())).toBe(true);
  });
});

describe('what overrules the schedule', () => {
  test('a trigger speaks from 50 characters on', () => {
    const buffer = new TextBuffer();
    expect(buffer.add(words(9), { isTriggered: true })).toEqual([]);
    expect(buffer.add(words(1), { isTriggered: true })).toEqual([words(10)]);
  });

  test('a flush speaks everything, but no blanks', () => {
    const buffer = new TextBuffer();
    buffer.add('Hi');
    expect(buffer.flush()).toEqual(['Hi']);
    buffer.add('  ');
    expect(buffer.flush()).toEqual([]);
  });

  test('with auto_mode each sentence is spoken when it is whole', () => {
    const buffer = new TextBuffer({ isAutomatic: true });
    expect(buffer.add('Hello ')).toEqual([]);
    expect(buffer.add('there. How')).toEqual(['Hello there. ']);
    expect(buffer.add(' are you? ')).toEqual(['How are you? ']);
    expect(buffer.add('It costs 3.')).toEqual([]);
    expect(buffer.add('50 today. ')).toEqual(['It costs 3.50 today. ']);
    expect(buffer.add('こんにちは。')).toEqual(['こんにちは。']);
    expect(buffer.add('A line without a stop\n')).toEqual(['A line without a stop\n']);
  });

  test('with auto_mode a piece that is a whole sentence is spoken at once, without a space behind it', () => {
    const buffer = new TextBuffer({ isAutomatic: true });
    expect(buffer.add('Hello there, my friend.')).toEqual(['Hello there, my friend.']);
    expect(buffer.add('Really?')).toEqual(['Really?']);
    expect(buffer.add('Dr.')).toEqual([]);
    expect(buffer.add(' Who.')).toEqual([]);
    expect(buffer.flush()).toEqual(['Dr. Who.']);
    expect([buffer.add('It costs 3.'), buffer.add('50.'), buffer.flush()]).toEqual([[], [], ['It costs 3.50.']]);
  });

  test('with auto_mode a long phrase is spoken at its comma', () => {
    const buffer = new TextBuffer({ isAutomatic: true });
    const phrase = 'If you would like me to look into that for you now, ';
    expect(buffer.add(phrase)).toEqual([phrase]);
    expect(buffer.add('Well, ')).toEqual([]);
  });
});

test.each([{ isAutomatic: true }, { isAutomatic: false }])(
  'cut anywhere, nothing is lost or doubled: %p',
  (options) => {
    const random = seededRandom(19);
    const below = (count: number) => Math.floor(random() * count);
    for (let round = 0; round < 50; round++) {
      const text = Array.from({ length: 40 }, () => ['word', ' ', '. ', ', ', '😀', '\n', 'Mr. X '][below(7)]!).join(
        '',
      );
      const buffer = new TextBuffer(options);
      const chunks: string[] = [];
      for (let at = 0; at < text.length;) {
        const piece = text.slice(at, at + 1 + below(9));
        at += piece.length;
        chunks.push(...buffer.add(piece, { isTriggered: below(3) === 0 }));
      }
      chunks.push(...buffer.flush());
      expect(chunks.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
    }
  },
);
