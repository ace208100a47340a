import { expect, test } from '@jest/globals';
import { cronText } from '../../console/src/schedules/cronText.ts';

test.each([
  ['30 6 * * 1-5', 'Weekdays at 06:30'],
  ['0 8 * * mon-fri', 'Weekdays at 08:00'],
  ['0 16 * * 4', 'Thursdays at 16:00'],
  ['5 0 * * SUN', 'Sundays at 00:05'],
  ['0 7 * * 7', 'Sundays at 07:00'],
  ['0 8 1 * *', 'Day 1 of each month at 08:00'],
  ['15 9 * * *', 'Every day at 09:15'],
  ['5 * * * *', 'Every hour at :05'],
  ['*/10 * * * *', 'Every 10 minutes'],
  ['*/1 * * * *', 'Every minute'],
])('%s reads as %s', (cron, words) => expect(cronText(cron)).toBe(words));

test.each(['0 8 1 1 *', '0 8 1 * 1', '0 8,20 * * *', '0 8 * * 1,3', '0 8 * *', '@daily', '* * * * *', '0 */2 * * *'])(
  '%s stays as it is',
  (cron) => expect(cronText(cron)).toBeUndefined(),
);
