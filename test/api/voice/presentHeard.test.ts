import { expect, test } from '@jest/globals';
import { presentHeard } from '../../../api/voice/presentHeard.ts';

/** The words of a transcript, with their spaces, as one text. */
function wordsOf(text: string, words: string[]): string {
  const transcribed = words.map((word, at) => ({ text: word, startMs: at * 100, endMs: at * 100 + 50, confidence: 1 }));
  const transcript = { text, language: 'ja', segments: [], words: transcribed, durationSeconds: 1 };
  return presentHeard(transcript, 1_000, 'word')
    .words.map((word) => word.text)
    .join('');
}

test.each([
  ['Hello you, friend.', ['Hello', 'you,', 'friend.'], 'Hello you, friend.'],
  // Whisper's words have no punctuation.
  ['Hello, you. Well-known.', ['Hello', 'you', 'Well', 'known'], 'Hello you Well known'],
  ['今日は、元気です。', ['今日', 'は', '元気', 'です'], '今日は元気です'],
  ['你好 world', ['你', '好', 'world'], '你好 world'],
  // A word that the text has otherwise.
  ['5 apples', ['five', 'apples'], 'five apples'],
])('the words of %s have spaces where the text has some', (text, words, joined) => {
  expect(wordsOf(text, words)).toBe(joined);
});
