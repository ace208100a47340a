import { expect, test } from '@jest/globals';
import { noReasonText } from '../../console/src/requests/nextSteps.ts';

const NOW = Date.parse('2026-11-29T12:00:00Z');

test.each([
  ['batch', '2026-11-29T11:00:00Z', 'The error file of its batch has the reason of each line.'],
  ['batch', '2026-11-01T11:00:00Z', 'The reason is no longer kept: 7 days have passed.'],
  ['text', '2026-11-01T11:00:00Z', 'The reason is no longer kept: 7 days have passed.'],
  ['text', '2026-11-29T11:00:00Z', 'No reason was recorded.'],
] as const)('a failed call without a reason says where it is: %s of %s', (product, started_at, text) => {
  expect(noReasonText({ product, started_at }, NOW)).toBe(text);
});
