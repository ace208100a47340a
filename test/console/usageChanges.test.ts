import { describe, expect, test } from '@jest/globals';
import { changeOf, ghostOf, linesOf } from '../../console/src/usage/facts.ts';
import { causesOf, reasonOf } from '../../console/src/usage/why.ts';
import { OTHERS } from '../../console/src/parts/chart/series.ts';

const fact = (id: string, value: number, step = '1') => ({ step, id, name: id, value });
const line = (members: object) => ({ id: 'a', name: 'a', value: 0, calls: 0, errors: 0, ...members });

describe('the lines of a report', () => {
  test('are ranked by value, and exact to the nano', () => {
    const lines = linesOf([fact('a', 0.1), fact('b', 0.5), fact('a', 0.2)], undefined);
    expect(lines.map(({ id, value, before }) => [id, value, before])).toEqual([
      ['b', 0.5, undefined],
      ['a', 0.3, undefined],
    ]);
  });

  test('beside the period before: the largest change first, with what is gone and what is new', () => {
    const lines = linesOf(
      [fact('same', 9), fact('more', 3), fact('new', 1)],
      [fact('same', 9), fact('more', 1), fact('gone', 5)],
    );
    expect(lines.map((one) => [one.id, changeOf(one)])).toEqual([
      ['gone', -5],
      ['more', 2],
      ['new', 1],
      ['same', 0],
    ]);
  });
});

describe('why a cost changed', () => {
  test('is told in requests and in the cost of each', () => {
    expect(reasonOf(line({ value: 24, before: 10, calls: 200, callsBefore: 100 }))).toBe(
      '+100% requests, +20% per request',
    );
    expect(reasonOf(line({ value: 10, before: 10, calls: 5, callsBefore: 5 }))).toBe('No change');
    expect(reasonOf(line({ value: 5, before: 10, calls: 50, callsBefore: 100 }))).toBe('−50% requests');
  });

  test('of what is new, of what is gone, and of what has no calls', () => {
    expect(reasonOf(line({ value: 3, before: 0, calls: 4, callsBefore: 0 }))).toBe('New');
    expect(reasonOf(line({ value: 0, before: 3, calls: 0, callsBefore: 4 }))).toBe('No longer used');
    expect(reasonOf(line({ value: 4, before: 3, calls: 0, callsBefore: 0 }))).toBe('');
  });

  test('names only lines that go the way of the sum, and matter', () => {
    const lines = [
      line({ id: 'fell', value: 0, before: 30 }),
      line({ id: 'rose', value: 90, before: 10 }),
      line({ id: 'little', value: 2, before: 1 }),
    ];
    expect(causesOf(lines, 51).map(({ id }) => id)).toEqual(['rose']);
    expect(causesOf(lines, -20).map(({ id }) => id)).toEqual(['fell']);
  });
});

describe('the period before', () => {
  const prior = [fact('a', 1, 'x'), fact('b', 2, 'x'), fact('c', 4, 'y'), fact('a', 8, 'elsewhere')];
  const series = ['a', 'b', OTHERS].map((id) => ({ id, name: id, color: '', values: [], sum: 0 }));

  test('is summed by step, or of the series that is shown alone', () => {
    expect(ghostOf(prior, ['x', 'y'])).toEqual([3, 4]);
    expect(ghostOf(prior, ['x', 'y'], 'b', series)).toEqual([2, 0]);
    expect(ghostOf(prior, ['x', 'y'], OTHERS, series)).toEqual([0, 4]);
  });
});
