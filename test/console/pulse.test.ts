import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ASK_AFTER_MS, LOST_AFTER_MS, Pulse } from '../../console/src/voice/pulse.ts';

let told: string[];
let pulse: Pulse;

beforeEach(() => {
  jest.useFakeTimers();
  told = [];
  pulse = new Pulse({ ask: () => told.push('asked'), onLost: () => told.push('lost') });
});
afterEach(() => {
  pulse.stop();
  jest.useRealTimers();
});

test('a connection that answers is asked again and again, and never lost', () => {
  for (let round = 0; round < 3; round++) {
    jest.advanceTimersByTime(ASK_AFTER_MS);
    pulse.heard();
  }
  expect(told).toEqual(['asked', 'asked', 'asked']);
});

test('a connection that does not answer is lost once', () => {
  jest.advanceTimersByTime(ASK_AFTER_MS + LOST_AFTER_MS - 1);
  expect(told).toEqual(['asked']);
  jest.advanceTimersByTime(10 * LOST_AFTER_MS);
  expect(told).toEqual(['asked', 'lost']);
});

test('a busy connection is not asked, and an ended one is not lost', () => {
  for (let event = 0; event < 20; event++) {
    jest.advanceTimersByTime(ASK_AFTER_MS - 1);
    pulse.heard();
  }
  pulse.stop();
  jest.advanceTimersByTime(10 * LOST_AFTER_MS);
  expect(told).toEqual([]);
});
