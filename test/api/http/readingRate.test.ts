import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { enforceReadingRate } from '../../../api/http/readingRate.ts';

const MINUTE_MS = 60_000;
const ENOUGH_BYTES = 2 * 1024 * 1024;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** An answer on a connection that has carried others. */
function open() {
  const socket = { bytesWritten: 9_000_000, writableLength: 0 };
  let isDestroyed = false;
  const res = Object.assign(new EventEmitter(), { socket, writableLength: 0, destroy: () => (isDestroyed = true) });
  enforceReadingRate(res as unknown as ServerResponse);
  return { socket, res, isDestroyed: () => isDestroyed };
}

test('a client that reads too slowly for a minute is disconnected', () => {
  const { socket, res, isDestroyed } = open();
  Object.assign(socket, { bytesWritten: 9_000_000 + ENOUGH_BYTES, writableLength: 0 });
  res.writableLength = 1;
  jest.advanceTimersByTime(MINUTE_MS);
  expect(isDestroyed()).toBe(false);
  // Most of it is unread.
  Object.assign(socket, { bytesWritten: 9_000_000 + 2 * ENOUGH_BYTES, writableLength: ENOUGH_BYTES - 1_000 });
  jest.advanceTimersByTime(MINUTE_MS);
  expect(isDestroyed()).toBe(true);
});

test('an answer that waits for its source is not, and one that has ended is not watched', () => {
  const { res, isDestroyed } = open();
  jest.advanceTimersByTime(10 * MINUTE_MS);
  expect(isDestroyed()).toBe(false);
  res.emit('close');
  res.writableLength = 1;
  jest.advanceTimersByTime(MINUTE_MS);
  expect(isDestroyed()).toBe(false);
});
