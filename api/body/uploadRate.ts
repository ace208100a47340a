import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The slowest permitted upload: this many bytes in each window. */
export interface UploadRate {
  bytesMin: number;
  windowMs: number;
}

// 32 KiB a second, measured over 15 s so that a short gap is allowed.
const UPLOAD_RATE: UploadRate = { bytesMin: 480 * 1024, windowMs: 15_000 };

const uploads = new WeakSet<Duplex>();

/** Whether a connection carries an upload, which may exceed the request timeout as long as it keeps the minimum rate. */
export function carriesUpload(socket: Duplex): boolean {
  return uploads.has(socket);
}

/**
 * Exempts a request from the server's timeout and enforces a minimum rate instead, until its body has arrived. `onSlow` is called once when
 * the rate is too low, at the earliest at the end of the second window: a small file on a slow network has as long as any other body.
 * Returns a function that stops the watch.
 */
export function enforceUploadRate(
  req: IncomingMessage,
  onSlow: () => void,
  { bytesMin, windowMs }: UploadRate = UPLOAD_RATE,
): () => void {
  const { socket } = req;
  let seenBytes = socket.bytesRead;
  let isFirst = true;
  const timer = setInterval(() => {
    const cameBytes = socket.bytesRead - seenBytes;
    seenBytes = socket.bytesRead;
    const isSpared = isFirst;
    isFirst = false;
    // Unread bytes are our delay, not the sender's.
    if (isSpared || cameBytes >= bytesMin || req.readableLength > 0) return;
    stop();
    onSlow();
  }, windowMs).unref();
  uploads.add(socket);

  function stop(): void {
    clearInterval(timer);
    uploads.delete(socket);
    req.off('end', stop).off('close', stop);
  }
  req.once('end', stop).once('close', stop);
  return stop;
}
