import { describe, expect, test } from '@jest/globals';
import { rowsOfDurable } from '../../../ops/bench/durable.ts';
import { medianAt, type Point, ratioAt, surplusAt } from '../../../ops/bench/point.ts';
import { errorsRow, pointRow, reportOf, short } from '../../../ops/bench/report.ts';
import { stampOf, waysMsIn } from '../../../ops/bench/stamps.ts';
import { medianOf, percentileOf } from '../../../ops/bench/statistics.ts';

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[7], 7],
  [[], NaN],
])('the median of %j is %d', (values, median) => {
  expect(medianOf(values)).toBe(median);
});

test('a percentile is the value below which that share lies', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([0, 0.5, 0.99, 1].map((share) => percentileOf(values, share))).toEqual([1, 51, 100, 100]);
  expect(percentileOf([], 0.5)).toBeNaN();
});

const EMPTY = {
  requestsPerSecond: 1,
  p50Ms: 1,
  p99Ms: 1,
  cpuMicrosPerRequest: 1,
  cpuShare: 1,
  eventsPerSecond: 1,
  cpuMicrosPerEvent: 1,
  errors: 0,
};

/** Three rounds of four servers. */
const point: Point<'ms' | 'errors'> = {
  direct: [1, 1, 2].map((ms) => ({ ms, errors: 0 })),
  raw: [2, 4, 10].map((ms) => ({ ms, errors: 0 })),
  koa: [2, 2, 5].map((ms) => ({ ms, errors: 1 })),
  ours: [4, 4, 5].map((ms) => ({ ms, errors: 0 })),
};

describe('a figure of several rounds', () => {
  test('is the median of the rounds', () => {
    expect(medianAt(point, 'raw', 'ms')).toBe(4);
  });

  test('is compared within each round, not between medians', () => {
    expect(ratioAt(point, 'ours', 'ms')).toBe(1);
    expect(surplusAt(point, { name: 'ours', over: 'direct', figure: 'ms' })).toBe(3);
    expect(surplusAt(point, { name: 'raw', over: 'direct', figure: 'ms' })).toBe(3);
  });

  test('has its goal for the ratio or for our own figure', () => {
    const met = (goal: object) => pointRow('x', { point, of: 'ms', ...goal }).isMet;
    expect([met({ ratio: { max: 1 } }), met({ ratio: { min: 1.1 } })]).toEqual([true, false]);
    expect([met({ ours: { max: 4 } }), met({ ours: { max: 3.9 } }), met({})]).toEqual([true, false, null]);
  });

  test('has what a durable insert costs PostgreSQL in the place of bare Koa', () => {
    const sample = (databaseMicrosPerRequest: number) => ({ ...EMPTY, databaseMicrosPerRequest });
    const costs = { direct: [sample(0)], raw: [sample(0)], koa: [sample(20)], ours: [sample(50)] };
    const rows = rowsOfDurable([{ connections: 16, point: costs }]);
    expect(rows.find(({ figure }) => figure.startsWith('PostgreSQL'))).toMatchObject({ ours: '50', koa: '20' });
  });

  test('counts the errors of every server', () => {
    expect(errorsRow('x', [point, point])).toMatchObject({ ours: '6', goal: '≤ 0', isMet: false });
  });
});

test.each([
  [0, '0'],
  [5063, '5063'],
  [0.01234, '0.0123'],
  [12.34, '12.3'],
  [123.4, '123'],
])('%d is printed as %s', (value, text) => {
  expect(short(value)).toBe(text);
});

describe('a chunk’s way', () => {
  const chunk = (stamp: string) => `data: {"choices":[{"delta":{"content":"${stamp}"}}]}\n\n`;

  test('is read for each chunk of the bytes', () => {
    const bytes = Buffer.from(chunk(stampOf(1_000)) + chunk(stampOf(3_500)) + 'data: [DONE]\n\n');
    expect(waysMsIn(bytes, 5_000)).toEqual([4, 1.5]);
  });

  test('goes on where the stamps begin again', () => {
    expect(waysMsIn(Buffer.from(chunk(stampOf(999_999_000))), 1_000_002_000 % 1_000_000_000)).toEqual([3]);
  });

  test('is that of one clock of the machine', () => {
    const startedAtMs = performance.now();
    const [wayMs] = waysMsIn(Buffer.from(chunk(stampOf())));
    // Both ends are cut to whole microseconds.
    const spentMs = performance.now() - startedAtMs + 0.001;
    expect(wayMs).toBeGreaterThanOrEqual(0);
    expect(wayMs).toBeLessThanOrEqual(spentMs);
  });
});

test('a report warns of each area that others disturbed', () => {
  const row = { figure: 'a figure', ours: '1', raw: '', koa: '', ratio: '', goal: '', isMet: null };
  const quiet = { area: 'chat', rows: [row], disturbance: { others: 0.01, steal: 0.01 } };
  const busy = { area: 'runs', rows: [row], disturbance: { others: 0.2, steal: 0 } };
  expect(reportOf([quiet]).split('\n')).toHaveLength(2);
  const [warning, ...table] = reportOf([quiet, busy]).split('\n');
  expect(warning).toMatch(/^Do not trust runs: the machine was busy, other programs used 20 %/);
  expect(table).toHaveLength(3);
});
