import { expect, test } from '@jest/globals';
import { echoesOf, isEcho } from '../../../db/schedules/clockChanges.ts';

const echo = (cron: string | null, timezone: string, at: string) => isEcho({ cron, timezone }, new Date(at));

test.each([
  // 01:00, still in summer time
  ['0 0 * * *', 'Europe/London', '2027-10-31T00:00:00Z'],
  ['0 0 31 oct 7', 'Europe/London', '2027-10-31T00:00:00Z'],
  // 02:30
  ['30 1 * * *', 'Europe/Berlin', '2027-10-31T00:30:00Z'],
  ['15 1 * * *', 'Australia/Sydney', '2027-04-03T15:15:00Z'],
  // 01:30, after clocks went back by half an hour
  ['0 1 * * *', 'Australia/Lord_Howe', '2027-04-03T15:00:00Z'],
])('%s in %s is not at %s, although Temporal plans it', (cron, timezone, at) => {
  expect(echo(cron, timezone, at)).toBe(true);
});

test.each([
  ['0 0 * * *', 'Europe/London', '2027-10-30T23:00:00Z'],
  ['30 1 * * *', 'Europe/Berlin', '2027-10-30T23:30:00Z'],
  // The repeated hour itself
  ['*/30 1-3 * * *', 'Europe/Berlin', '2027-10-31T00:30:00Z'],
  ['30 2 * * *', 'Europe/Berlin', '2027-10-31T01:30:00Z'],
  ['30 1 * * *', 'America/New_York', '2027-11-07T05:30:00Z'],
  ['30 1 * * *', 'America/New_York', '2027-11-07T06:30:00Z'],
  // A skipped time, half an hour later
  ['0 2 * * *', 'Australia/Lord_Howe', '2027-10-02T15:30:00Z'],
  ['0 0 * * *', 'UTC', '2027-10-31T00:00:00Z'],
  [null, 'Europe/London', '2027-10-31T00:00:00Z'],
])('%s in %s is at %s', (cron, timezone, at) => {
  expect(echo(cron, timezone, at)).toBe(false);
});

test('on the days on which clocks go back, Temporal leaves out what is no time of the schedule', () => {
  const from = new Date('2026-11-29T00:00:00Z');
  const berlin = echoesOf({ cron: '0,30 1,7-23 * * *', timezone: 'Europe/Berlin' }, from);
  expect(berlin.slice(0, 2)).toEqual([
    { year: 2027, month: 'OCTOBER', dayOfMonth: 31, hour: [0, 2, 3, 4, 5, 6], minute: '*', second: '*' },
    {
      year: 2027,
      month: 'OCTOBER',
      dayOfMonth: 31,
      hour: '*',
      minute: expect.not.arrayContaining([0, 30]),
      second: '*',
    },
  ]);
  expect(berlin).toHaveLength(10);
  const havana = echoesOf({ cron: '* 0 * * *', timezone: 'America/Havana' }, from);
  expect(havana[0]).toMatchObject({ year: 2027, month: 'NOVEMBER', dayOfMonth: 7, minute: '*' });
  expect(echoesOf({ cron: '* * * * *', timezone: 'Europe/Berlin' }, from)).toEqual([]);
  expect(echoesOf({ cron: '0 0 * * *', timezone: 'Asia/Tokyo' }, from)).toEqual([]);
});
