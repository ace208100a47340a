import type { ServerResponse } from 'node:http';
import { KIB } from '../../base/limits.ts';

// 32 KiB a second, as of uploads.
const BYTES_MIN = 60 * 32 * KIB;
const WINDOW_MS = 60_000;

/**
 * Closes the connection of an answer when its client has read less than 32 KiB a second for a minute: for an answer that holds what others
 * need until it is sent. One that waits for its source has nothing unread, and is not affected.
 */
export function enforceReadingRate(res: ServerResponse): void {
  let seenBytes = readBytesOf(res);
  const timer = setInterval(() => {
    const bytes = readBytesOf(res);
    const isSlow = bytes - seenBytes < BYTES_MIN && res.writableLength > 0;
    seenBytes = bytes;
    if (isSlow) res.destroy();
  }, WINDOW_MS).unref();
  res.once('close', () => clearInterval(timer));
}

const readBytesOf = ({ socket }: ServerResponse): number => (socket ? socket.bytesWritten - socket.writableLength : 0);
