import { expect, test } from '@jest/globals';
import { LIMITS } from '../api/docs/pages/limits.ts';
import { ITEM_HOURS } from '../db/answers/responseItems.ts';
import { readText } from './support/sources.ts';

const readme = readText('README.md');

test.each(LIMITS)('the README documents the enforced limit: %s', (name, limit) => {
  const rows = readme.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows.filter(([, cell]) => cell === name).map(([, , value]) => value)).toEqual([limit]);
});

test('the README documents the retention of output items', () => {
  expect(readme).toContain(`keeps an answer with its input and output items for ${ITEM_HOURS} hours`);
});
