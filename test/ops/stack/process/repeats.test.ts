import { afterEach, expect, jest, test } from '@jest/globals';
import { createRepeats } from '../../../../ops/stack/process/repeats.ts';
import { retime } from '../../../support/clock.ts';
import { until } from '../../../support/until.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test('a repeated text is said once, and its repetitions later with their number', async () => {
  retime({ fromMs: 10_000, toMs: 50 });
  const said: string[] = [];
  const warn = createRepeats((text) => void said.push(text));
  for (let times = 0; times < 1_000; times += 1) warn('request failed');
  warn('database');
  expect(said).toEqual(['request failed', 'database']);
  await until(() => said.length === 3);
  expect(said[2]).toBe('request failed (999 more)');
  warn('database');
  await until(() => said.filter((text) => text.startsWith('database')).length === 2);
});
