import { expect, test } from '@jest/globals';
import { isFilePath } from '../../../tools/sandbox/files.ts';

test.each(['a', 'a.txt', 'out/report (1).txt', '.hidden', '...', 'ü/日本.csv', 'a'.repeat(255)])(
  '%s names a file in the work folder',
  (path) => {
    expect(isFilePath(path)).toBe(true);
  },
);

test.each(
  [
    '',
    '/',
    '/etc/passwd',
    '..',
    '.',
    '../a',
    'a/../b',
    'a/./b',
    'a//b',
    'a/',
    'a\\b',
    'a\0b',
    'a\nb',
    'a\u007fb',
    'a\u202etxt.js',
    'a\u2066b',
    'a\u2028b',
  ].concat('a'.repeat(256), 'ü'.repeat(128), 'a/'.repeat(600) + 'a', 'a\ud800'),
)('%j names no file in the work folder', (path) => {
  expect(isFilePath(path)).toBe(false);
});
