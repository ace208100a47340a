import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answer that a connection carries now, if any. */
export function answerOn(socket: Duplex): ServerResponse | null | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
}
