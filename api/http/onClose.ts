import type { ServerResponse } from 'node:http';

/**
 * Calls `listener` when the client has disconnected or its answer has ended: at once if that has happened, because the event is over then,
 * as after a query of the handler before. The listener stays attached.
 */
export function onClose(res: ServerResponse, listener: () => void): void {
  if (res.destroyed) listener();
  else res.on('close', listener);
}

/** Aborts when the client has disconnected or its answer has ended. */
export function closeSignal(res: ServerResponse): AbortSignal {
  const closing = new AbortController();
  onClose(res, () => closing.abort());
  return closing.signal;
}

/** Whether the client has disconnected before its whole answer was sent. */
export const hasDisconnected = (res: ServerResponse): boolean => res.destroyed && !res.writableFinished;
