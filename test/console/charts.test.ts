import { describe, expect, test } from '@jest/globals';
import { layoutOf } from '../../console/src/parts/chart/layout.ts';
import { bandsOf, digitsOfStep, labelledBands, niceTicks } from '../../console/src/parts/chart/scale.ts';
import { OTHERS, seriesOf, shareText, stacked, totalsOf } from '../../console/src/parts/chart/series.ts';

describe('ticks', () => {
  test.each([
    [17, 4, [0, 5, 10, 15, 20]],
    [20, 4, [0, 5, 10, 15, 20]],
    [0.026, 4, [0, 0.01, 0.02, 0.03]],
    [1_234_567, 4, [0, 500_000, 1_000_000, 1_500_000]],
    [0.000_003_1, 4, [0, 0.000_001, 0.000_002, 0.000_003, 0.000_004]],
  ])('up to %p in about %p steps are round: %p', (max, count, ticks) => {
    expect(niceTicks(max, count)).toEqual(ticks);
  });

  test('of counts are whole, also of a few', () => {
    expect(niceTicks(3, 4, true)).toEqual([0, 1, 2, 3]);
    expect(niceTicks(10, 4, true)).toEqual([0, 5, 10]);
    expect(niceTicks(0, 4, true)).toEqual([0, 1]);
  });

  test('have as many digits as tell them apart', () => {
    expect([5, 0.5, 0.25, 0.000_02].map(digitsOfStep)).toEqual([0, 1, 2, 5]);
  });
});

describe('bands', () => {
  test('find the step below a pointer, and the nearest one beside them', () => {
    const bands = bandsOf(10, 50, 150);
    expect([bands.width, bands.startOf(3), bands.centerOf(3)]).toEqual([10, 80, 85]);
    expect([0, 50, 59.9, 60, 149, 400].map(bands.at)).toEqual([0, 0, 0, 1, 9, 9]);
  });

  test('of days are labelled from the last one backwards, with room for each label', () => {
    const days = Array.from({ length: 30 }, () => ({}));
    expect(labelledBands(days, 20, 64)).toEqual([1, 5, 9, 13, 17, 21, 25, 29]);
    expect(labelledBands(days, 100, 64)).toHaveLength(30);
  });

  test('of a day are labelled at round times', () => {
    const hours = Array.from({ length: 24 }, (_, place) => ({ place }));
    expect(labelledBands(hours, 20, 64)).toEqual([0, 5, 10, 15, 20]);
    const minutes = Array.from({ length: 180 }, (_, at) => ({ place: 325 + at }));
    expect(labelledBands(minutes, 4, 64).map((at) => 325 + at)).toEqual([330, 360, 390, 420, 450, 480]);
  });
});

const fact = (step: string, id: string, value: number) => ({ step, id, name: id.toUpperCase(), value });

describe('series', () => {
  test('are the six largest in order; the rest is added up, and other steps are left out', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const facts = names.flatMap((id, at) => [fact('1', id, 10 - at), fact('2', id, 1), fact('9', id, 1_000)]);
    const series = seriesOf(facts, ['1', '2', '3']);
    expect(series.map(({ id, sum, color }) => [id, sum, color])).toEqual([
      ['a', 11, 'var(--series-1)'],
      ['b', 10, 'var(--series-2)'],
      ['c', 9, 'var(--series-3)'],
      ['d', 8, 'var(--series-4)'],
      ['e', 7, 'var(--series-5)'],
      ['f', 6, 'var(--series-6)'],
      [OTHERS, 9, 'var(--series-others)'],
    ]);
    expect(series.at(-1)).toMatchObject({ name: 'Others (2)', values: [7, 2, 0] });
    expect(totalsOf(series, 3)).toEqual([52, 8, 0]);
  });

  test('are "Others" from two on: one alone keeps its name', () => {
    const series = seriesOf(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id, at) => fact('0', id, 9 - at)),
      ['0'],
    );
    expect(series.at(-1)).toMatchObject({ id: 'g', name: 'G', color: 'var(--series-others)', sum: 3 });
  });

  test('have one value for each step, though several facts are of one step', () => {
    const [only] = seriesOf([fact('1', 'a', 2), fact('1', 'a', 3)], ['0', '1']);
    expect(only!.values).toEqual([0, 5]);
  });

  test('are stacked from the bottom up', () => {
    const parts = stacked([{ values: [1, 2] }, { values: [undefined, 4] }, { values: [3, 0] }]);
    expect(parts).toEqual([
      [
        [0, 1],
        [0, 2],
      ],
      [
        [1, 1],
        [2, 6],
      ],
      [
        [1, 4],
        [6, 6],
      ],
    ]);
  });

  test('have shares that never round to nothing, nor to all', () => {
    expect([shareText(1, 3), shareText(1, 1_000), shareText(999, 1_000), shareText(5, 5), shareText(0, 0)]).toEqual([
      '33%',
      '< 1%',
      '99%',
      '100%',
      '0%',
    ]);
  });
});

describe('the layout', () => {
  const layout = (series: number[][], ghost?: number[], shape: 'bars' | 'lines' = 'bars') =>
    layoutOf({
      picture: {
        steps: series[0]!.map((_, at) => ({ text: String(at), title: String(at) })),
        series: series.map((values, at) => ({ id: String(at), name: '', color: '', values, sum: 0 })),
        ...(ghost && { ghost }),
      },
      shape,
      tickText: String,
      isWhole: false,
      width: 400,
      height: 260,
    });

  test('has room for the highest stack, and for the period before', () => {
    expect(
      layout([
        [1, 2],
        [3, 4],
      ]).ticks.at(-1)!.value,
    ).toBe(6);
    expect(
      layout(
        [
          [1, 2],
          [3, 4],
        ],
        undefined,
        'lines',
      ).ticks.at(-1)!.value,
    ).toBe(4);
    expect(layout([[1, 2]], [0, 9]).ticks.at(-1)!.value).toBe(10);
  });

  test('puts zero at the bottom, and knows that nothing is to be drawn', () => {
    const { y, bottom, top, ticks, isEmpty } = layout([[1, 2]]);
    expect([y(0), y(ticks.at(-1)!.value), isEmpty]).toEqual([bottom, top, false]);
    expect(layout([[0, 0]]).isEmpty).toBe(true);
  });
});
