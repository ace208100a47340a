import { expect, test } from '@jest/globals';
import { LIMITS } from '../api/docs/pages/limits.ts';
import { readText } from './support/sources.ts';

const limits = readText('docs/reference/limits.md');

test.each(LIMITS)('the reference documents the enforced limit: %s', (name, limit) => {
  const rows = limits.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows.filter(([, cell]) => cell === name).map(([, , value]) => value)).toEqual([limit]);
});
