import { readSync, writeSync } from 'node:fs';

/**
 * The protocol between worker and child over the child's stdin and stdout: frames of a length (4 bytes, of the rest), a kind (1 byte) and a
 * payload. To the child: files, then the program. From it: ready, then output, files, and the end.
 */
export const FRAME_KINDS = {
  ready: 1,
  stdout: 2,
  stderr: 3,
  file: 4,
  program: 5,
  end: 6,
} as const;

export interface Frame {
  kind: number;
  payload: Buffer;
}

const HEADER_BYTES = 5;
const PATH_LENGTH_BYTES = 2;

/** A whole frame, ready to be written. */
export function encodeFrame(kind: number, payload: Uint8Array | string = ''): Buffer {
  const bytes = Buffer.from(payload as Uint8Array);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(bytes.length + 1, 0);
  header.writeUInt8(kind, 4);
  return Buffer.concat([header, bytes]);
}

/** A whole frame of the kind `file`. */
export function encodeFile({ path, bytes }: { path: string; bytes: Uint8Array }): Buffer {
  const name = Buffer.from(path);
  const length = Buffer.alloc(PATH_LENGTH_BYTES);
  length.writeUInt16BE(name.length);
  return encodeFrame(FRAME_KINDS.file, Buffer.concat([length, name, bytes]));
}

/** Throws when the payload is not a file. The path is not checked here. */
export function decodeFile(payload: Buffer): { path: string; bytes: Buffer } {
  const pathEnd = PATH_LENGTH_BYTES + payload.readUInt16BE(0);
  if (payload.length < pathEnd) throw new Error('a file frame ends within its path');
  return { path: payload.toString('utf8', PATH_LENGTH_BYTES, pathEnd), bytes: payload.subarray(pathEnd) };
}

/** Assembles frames from bytes. Throws on a frame of unknown kind, or of more than `frameBytesMax`, before storing it. */
export function createFrameDecoder(frameBytesMax: number): (chunk: Buffer) => Frame[] {
  let parts: Buffer[] = [];
  let heldBytes = 0;
  let neededBytes = HEADER_BYTES;

  const next = (joined: Buffer): Frame | null => {
    if (joined.length < HEADER_BYTES) return null;
    const length = joined.readUInt32BE(0);
    if (length < 1 || length > frameBytesMax) throw new Error(`a frame of ${length} bytes`);
    neededBytes = 4 + length;
    if (joined.length < neededBytes) return null;
    return { kind: joined.readUInt8(4), payload: joined.subarray(HEADER_BYTES, neededBytes) };
  };

  return (chunk) => {
    parts.push(chunk);
    heldBytes += chunk.length;
    const frames: Frame[] = [];
    if (heldBytes < neededBytes) return frames;
    let joined = Buffer.concat(parts);
    for (let frame = next(joined); frame; frame = next(joined)) {
      frames.push(frame);
      joined = joined.subarray(neededBytes);
      neededBytes = HEADER_BYTES;
    }
    parts = [joined];
    heldBytes = joined.length;
    return frames;
  };
}

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

// A thread or a stream of Node may have made the pipe non-blocking: a write to a full pipe is retried.
function writeSome(bytes: Buffer, offset: number): number {
  try {
    return writeSync(STDOUT, bytes, offset);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    return 0;
  }
}
