import { readSync, writeSync } from 'node:fs';
import { createFrameDecoder, encodeFrame, type Frame } from './frames.ts';

const STDIN = 0;
const STDOUT = 1;
const READ_BYTES = 65_536;
const RETRY_MS = 1;

/**
 * The child's side of the frames, read and written synchronously: a program's output has left the child before it can be killed, and an
 * idle child blocks in its read, which ends when the worker dies.
 */
export function readFrames(frameBytesMax: number, onFrame: (frame: Frame) => boolean): void {
  const decode = createFrameDecoder(frameBytesMax);
  for (;;) {
    const buffer = Buffer.alloc(READ_BYTES);
    const length = readSync(STDIN, buffer);
    if (length === 0) process.exit(0);
    for (const frame of decode(buffer.subarray(0, length))) if (onFrame(frame)) return;
  }
}

/** Returns when the worker's pipe has taken the frame. */
export function sendFrame(kind: number, payload?: Uint8Array | string): void {
  sendBytes(encodeFrame(kind, payload));
}

/** The same for frames that are already encoded. */
export function sendBytes(bytes: Buffer): void {
  for (let sent = 0; sent < bytes.length;) sent += writeSome(bytes, sent);
}

// A thread or a stream of Node may have made the pipe non-blocking: writing to a full one is retried.
function writeSome(bytes: Buffer, offset: number): number {
  try {
    return writeSync(STDOUT, bytes, offset);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    return 0;
  }
}
