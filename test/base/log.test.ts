import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createErrorLog, createLog, createOutageLog } from '../../base/log.ts';

let lines: { level: number; time: string; msg: string; err?: { stack: string }; count?: number; messages?: string[] }[];
const open = () => createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });

beforeEach(() => {
  lines = [];
  jest.useFakeTimers();
});
afterEach(() => void jest.useRealTimers());

test('of errors in crowds the first is logged with its stack, then one line a second with their number', () => {
  const logError = createErrorLog(open(), 'database');
  for (let at = 0; at < 30; at += 1) logError(new Error(at % 2 ? 'connection refused' : 'connection ended'));
  expect(lines).toMatchObject([{ msg: 'database', err: { stack: expect.stringContaining('log.test') } }]);
  jest.advanceTimersByTime(1_000);
  expect(lines.slice(1)).toEqual([
    {
      level: 40,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      msg: 'database',
      count: 29,
      messages: ['connection refused', 'connection ended'],
    },
  ]);
  jest.advanceTimersByTime(5_000);
  expect(lines).toHaveLength(2);
  logError(new Error('another one'));
  expect(lines[2]).toMatchObject({ err: { message: 'another one' } });
});

test('of an outage the first failure is logged, and its end with the number of failures', () => {
  const noteFailure = createOutageLog(open(), { begun: 'a call fails', over: 'no call fails' });
  for (let second = 0; second < 61; second += 1) {
    for (let at = 0; at < 30; at += 1) noteFailure({ reason: `try ${second * 30 + at}` });
    jest.advanceTimersByTime(1_000);
  }
  expect(lines).toMatchObject([{ level: 40, msg: 'a call fails', reason: 'try 0' }]);
  jest.advanceTimersByTime(30_000);
  expect(lines.slice(1)).toMatchObject([{ level: 30, msg: 'no call fails', failures: 1_830, seconds: 60 }]);
  noteFailure({ reason: 'another one' });
  expect(lines[2]).toMatchObject({ msg: 'a call fails', reason: 'another one' });
});

test('a line has its level, its time as ISO 8601, and no key', () => {
  open().info({ path: '/v1/sk_live_abc123' }, 'request');
  expect(lines).toEqual([
    { level: 30, time: expect.stringMatching(/^\d{4}-.*Z$/), path: '/v1/sk_live_[secret]', msg: 'request' },
  ]);
});
