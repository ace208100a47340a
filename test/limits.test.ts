import { expect, test } from '@jest/globals';
import { LIMITS } from '../api/docs/pages/limits.ts';
import { ITEM_HOURS } from '../db/answers/responseItems.ts';
import { readText } from './support/sources.ts';

const limits = readText('docs/reference/limits.md');

test.each(LIMITS)('the reference documents the enforced limit: %s', (name, limit) => {
  const rows = limits.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows.filter(([, cell]) => cell === name).map(([, , value]) => value)).toEqual([limit]);
});

test('the page about models documents the retention of output items', () => {
  const text = readText('docs/operate/models.md');
  expect(text).toContain(`keeps an answer with its input and output items for ${ITEM_HOURS} hours`);
});
