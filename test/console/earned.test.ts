import { describe, expect, test } from '@jest/globals';
import { earnedOf, type EarningsStatement } from '../../console/src/publish/earned.ts';

type Line = EarningsStatement['data'][number];

const lineOf = (date: string, agent: string, earned_usd: number): Line =>
  ({ date, agent, version: 'v1', runs: 1, earned_usd }) as Line;

const statementOf = (month: string, data: Line[]): EarningsStatement =>
  ({
    month,
    data,
    totals: { earned_usd: data.reduce((sum, { earned_usd: usd }) => sum + usd, 0) },
  }) as EarningsStatement;

const october = statementOf('2026-10', [
  lineOf('2026-10-01', 'acme/poet', 1),
  lineOf('2026-10-03', 'acme/clerk', 2),
  lineOf('2026-10-31', 'acme/poet', 8),
]);
const november = statementOf('2026-11', [
  lineOf('2026-11-01', 'acme/clerk', 1),
  lineOf('2026-11-01', 'acme/poet', 4),
  lineOf('2026-11-03', 'acme/poet', 2),
]);

describe('the earnings of a month', () => {
  test('are a bar for each day, in parts of each agent, the one that earned most first', () => {
    const { picture, sum } = earnedOf(november, october, { today: '2026-12-24' });
    expect(picture.steps).toHaveLength(30);
    expect(picture.series.map(({ id, values }) => [id, values[0], values[2]])).toEqual([
      ['acme/poet', 4, 2],
      ['acme/clerk', 1, 0],
    ]);
    expect(sum).toBe(7);
    expect(picture.openAt).toBeUndefined();
  });

  test('are in parts of versions, too', () => {
    const { series } = earnedOf(november, october, { today: '2026-12-24', by: 'version' }).picture;
    expect(series.map(({ id }) => id)).toEqual(['acme/poet v1', 'acme/clerk v1']);
  });

  test('stand before those of the month before, day by day', () => {
    const { ghost } = earnedOf(november, october, { today: '2026-12-24' }).picture;
    expect(ghost).toHaveLength(30);
    expect([ghost![0], ghost![2], ghost![29]]).toEqual([1, 2, 0]);
    expect(earnedOf(october, november, { today: '2026-12-24' }).picture.ghost).toHaveLength(31);
  });

  test('are compared over as many days as have passed; a whole month with a whole month', () => {
    expect(earnedOf(november, october, { today: '2026-11-02' })).toMatchObject({ sumBefore: 1, isOpen: true });
    expect(earnedOf(november, october, { today: '2026-11-03' })).toMatchObject({
      sumBefore: 3,
      picture: { openAt: 2 },
    });
    expect(earnedOf(november, october, { today: '2026-12-24' })).toMatchObject({ sumBefore: 11, isOpen: false });
  });

  test('of one agent alone have its ghost alone', () => {
    const { picture, series } = earnedOf(november, october, { today: '2026-12-24', only: 'acme/clerk' });
    expect(picture.series.map(({ id }) => id)).toEqual(['acme/clerk']);
    expect([picture.ghost![0], picture.ghost![2]]).toEqual([0, 2]);
    expect(series).toHaveLength(2);
  });

  test('have no ghost when nothing was earned before', () => {
    expect(earnedOf(november, statementOf('2026-10', []), { today: '2026-12-24' }).picture.ghost).toBeUndefined();
  });
});
