import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { daysOf, lastDays, priorOf } from '../../console/src/usage/range.ts';

const at = (iso: string) => Date.parse(iso);

describe('a range has both of its days, and no other', () => {
  test('today is one day, and is compared with yesterday', () => {
    const today = lastDays(1, at('2026-11-25T22:00:00Z'));
    expect(today).toEqual({ from: '2026-11-25', to: '2026-11-25' });
    expect(daysOf(today)).toEqual(['2026-11-25']);
    expect(priorOf(today)).toEqual({ from: '2026-11-24', to: '2026-11-24' });
  });

  test('it changes at midnight of UTC', () => {
    expect(lastDays(1, at('2026-11-25T23:59:59.999Z')).to).toBe('2026-11-25');
    expect(lastDays(1, at('2026-11-26T00:00:00.000Z'))).toEqual({ from: '2026-11-26', to: '2026-11-26' });
  });

  test('seven days are seven, also in the past and over the end of a year', () => {
    const week = lastDays(7, at('2026-01-03T12:00:00Z'));
    expect(week).toEqual({ from: '2025-12-28', to: '2026-01-03' });
    expect(daysOf(week)).toHaveLength(7);
    expect(priorOf(week)).toEqual({ from: '2025-12-21', to: '2025-12-27' });
    expect(daysOf(priorOf({ from: '2024-02-28', to: '2024-03-01' }))).toEqual([
      '2024-02-25',
      '2024-02-26',
      '2024-02-27',
    ]);
  });
});

/** The times of days in a zone: a process has one zone from its start. */
function timesIn(zone: string, range: object): unknown {
  const module = join(import.meta.dirname, '../../console/src/usage/range.ts');
  const script = `const { timesOf } = await import(${JSON.stringify(module)}); console.log(JSON.stringify(timesOf(${JSON.stringify(range)})))`;
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { env: { ...process.env, TZ: zone }, encoding: 'utf8' }));
}

describe('days of a zone', () => {
  test.each([
    ['UTC', '2026-11-24T00:00:00.000Z', '2026-11-26T00:00:00.000Z'],
    ['Pacific/Auckland', '2026-11-23T11:00:00.000Z', '2026-11-25T11:00:00.000Z'],
    ['America/Los_Angeles', '2026-11-24T08:00:00.000Z', '2026-11-26T08:00:00.000Z'],
  ])('are from midnight to midnight in %s', (zone, from, to) => {
    expect(timesIn(zone, { from: '2026-11-24', to: '2026-11-25' })).toEqual({ from, to });
  });

  test('have 23 or 25 hours when clocks change, and either end may be open', () => {
    const [spring, autumn] = ['2026-09-27', '2026-04-05'].map((day) =>
      timesIn('Pacific/Auckland', { from: day, to: day }),
    );
    expect(spring).toEqual({ from: '2026-09-26T12:00:00.000Z', to: '2026-09-27T11:00:00.000Z' });
    expect(autumn).toEqual({ from: '2026-04-04T11:00:00.000Z', to: '2026-04-05T12:00:00.000Z' });
    expect(timesIn('UTC', { from: '2026-11-24' })).toEqual({ from: '2026-11-24T00:00:00.000Z' });
    expect(timesIn('UTC', {})).toEqual({});
  });
});
