import { expect, test } from '@jest/globals';
import { dayText, momentText, monthText } from '../../base/dateText.ts';

test('mails have days, months and moments in words, and name the zone', () => {
  expect(dayText('2026-11-01')).toBe('1 November 2026');
  expect(monthText('2026-10')).toBe('October 2026');
  expect(momentText('2026-12-07T00:05:12.345Z')).toBe('7 December 2026, 00:05 UTC');
});
