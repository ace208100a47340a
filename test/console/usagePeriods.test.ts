import { describe, expect, test } from '@jest/globals';
import { chosenOf, lastMonths, periodOf, spanOfStep, stepsOf } from '../../console/src/usage/period.ts';
import { stepTexts } from '../../console/src/usage/steps.ts';

const at = (iso: string) => Date.parse(iso);
const NOW = at('2026-11-26T08:20:30Z');

describe('a period', () => {
  test('of 30 days has days, the last one open, and is compared with as much of the 30 days before', () => {
    const { unit, steps, openAt, prior, ...period } = periodOf({}, NOW);
    expect([period.from, period.to, unit, steps.length, openAt]).toEqual(['2026-10-28', '2026-11-26', 'day', 30, 29]);
    expect([prior.from, prior.to, prior.steps.length]).toEqual(['2026-09-28T00:00:00Z', '2026-10-27T08:00:00Z', 30]);
  });

  test('below three days has hours, of three days has days', () => {
    const today = periodOf({ days: '1' }, NOW);
    expect([today.unit, today.steps.length, today.openAt, today.steps[8]]).toEqual([
      'hour',
      24,
      8,
      '2026-11-26T08:00:00Z',
    ]);
    expect([today.prior.from, today.prior.to]).toEqual(['2026-11-25T00:00:00Z', '2026-11-25T08:00:00Z']);
    expect(periodOf({ from: '2026-11-01', to: '2026-11-02' }, NOW)).toMatchObject({ unit: 'hour', openAt: undefined });
    expect(periodOf({ from: '2026-11-01', to: '2026-11-03' }, NOW).unit).toBe('day');
  });

  test.each([
    { month: 'foo' },
    { month: '2026-13' },
    { days: '99999999' },
    { days: '-5' },
    { days: '1.5' },
    { from: 'abc', to: 'def' },
    { from: '2026-02-31', to: '2026-03-02' },
  ])('of an address that says nothing useful is that of 30 days: %j', (search) => {
    expect(periodOf(search, NOW)).toEqual(periodOf({}, NOW));
    expect(chosenOf(search)).toEqual({});
  });

  test('of days in the wrong order is the same as in the right one', () => {
    const [from, to] = ['2026-11-01', '2026-11-20'];
    expect(periodOf({ from: to, to: from }, NOW)).toEqual(periodOf({ from, to }, NOW));
  });

  test('of three hours has minutes until now, and the three hours before', () => {
    const { unit, from, to, steps, openAt, prior } = periodOf({ days: '3h' }, NOW);
    expect([unit, from, to, steps.length, openAt]).toEqual([
      'minute',
      '2026-11-26T05:21:00Z',
      '2026-11-26T08:21:00Z',
      180,
      179,
    ]);
    expect([prior.from, prior.to]).toEqual(['2026-11-26T02:21:00Z', from]);
    expect(steps.at(-1)).toBe('2026-11-26T08:20:00Z');
  });

  test('of a month is compared with the month before, of whatever length', () => {
    const october = periodOf({ month: '2026-10' }, NOW);
    expect(october).toMatchObject({ from: '2026-10-01', to: '2026-10-31', name: 'October 2026', openAt: undefined });
    expect(october.prior).toMatchObject({
      from: '2026-09-01T00:00:00Z',
      to: '2026-10-01T00:00:00Z',
      name: 'September 2026',
    });
    expect(october.prior.steps).toHaveLength(30);
    expect(periodOf({ from: '2026-10-01', to: '2026-10-31' }, NOW)).toEqual(october);
    expect(periodOf({ month: '2027-01' }, at('2027-02-03T00:00:00Z')).prior.from).toBe('2026-12-01T00:00:00Z');
  });

  test('of the present month is compared with the same days, never with more than the month before has', () => {
    const november = periodOf({ month: '2026-11' }, NOW);
    expect([november.steps.length, november.openAt, november.prior.to]).toEqual([30, 25, '2026-10-26T08:00:00Z']);
    expect(november.prior.name).toBe('the same days of October 2026');
    const march = periodOf({ month: '2026-03' }, at('2026-03-31T12:00:00Z'));
    expect(march.prior.to).toBe('2026-03-01T00:00:00Z');
  });

  test('of other days is compared with the days before, by their own dates', () => {
    expect(periodOf({ from: '2026-11-16', to: '2026-11-30' }, NOW).prior.name).toBe('1 Nov – 15 Nov 2026');
    expect(periodOf({ days: '1' }, NOW).prior.name).toBe('yesterday by this time');
  });

  test('of nonsense in the address is that of 30 days', () => {
    expect(periodOf({ days: 'soon' }, NOW)).toMatchObject({ from: '2026-10-28', name: 'Last 30 days' });
  });

  test('can be one of the last months, over the end of a year', () => {
    expect(lastMonths(4, at('2026-02-01T00:00:00Z'))).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
  });
});

describe('steps', () => {
  test('have the names of the rows of a report', () => {
    const [from, to] = [at('2026-03-28T22:00:00Z'), at('2026-03-29T02:00:00Z')];
    expect(stepsOf(from, to, 'hour')).toEqual([
      '2026-03-28T22:00:00Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T00:00:00Z',
      '2026-03-29T01:00:00Z',
    ]);
    expect(stepsOf(at('2026-02-27'), at('2026-03-02'), 'day')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  });

  test('lead to their requests: a day to both of its ends, an hour to the next one', () => {
    expect(spanOfStep('2026-11-26', 'day')).toEqual({ from: '2026-11-26', to: '2026-11-26' });
    expect(spanOfStep('2026-11-26T23:00:00Z', 'hour')).toEqual({
      from: '2026-11-26T23:00:00Z',
      to: '2026-11-27T00:00:00Z',
    });
    expect(spanOfStep('2026-11-26T23:59:00Z', 'minute').to).toBe('2026-11-27T00:00:00Z');
  });

  test('are days of UTC, whatever the zone of the reader', () => {
    for (const zone of ['UTC', 'Pacific/Auckland', 'America/Los_Angeles'])
      expect(stepTexts(['2026-11-26'], 'day', undefined, zone)[0]).toEqual({ text: '26 Nov', title: 'Thu 26 Nov UTC' });
  });

  test.each([
    ['UTC', undefined],
    ['Europe/Berlin', '26 Nov, 00:00 your time'],
    ['Asia/Kolkata', '26 Nov, 04:30 your time'],
    ['America/Los_Angeles', '15:00 your time'],
  ])('of hours say UTC, and in %s also the time of the reader, with its day', (zone, note) => {
    const [step] = stepTexts(['2026-11-25T23:00:00Z'], 'hour', undefined, zone);
    expect(step).toEqual({ text: '23:00', title: '25 Nov, 23:00 UTC', place: 23, ...(note && { note }) });
  });

  test('of a new day name the day, and the last one says that it is open', () => {
    const texts = stepTexts(['2026-11-26T00:00:00Z', '2026-11-26T01:00:00Z'], 'hour', 1, 'UTC');
    expect(texts.map(({ text, note }) => [text, note])).toEqual([
      ['26 Nov', undefined],
      ['01:00', 'so far'],
    ]);
  });
});
