import type { Json } from '../../providers/provider.ts';

/** What the upstream saw and did of one call. Times are milliseconds since 1970. */
export interface Call {
  id: string;
  path: string;
  body: Json;
  headers: Json;
  promptTokens: number;
  /** Output tokens written to the socket. */
  outputTokens: number;
  chunksSent: number;
  startedAt: number;
  /** Unset while the call goes on. */
  endedAt?: number;
  /** The caller closed the connection before the answer's end. */
  aborted: boolean;
  /** From the call's start to the moment the caller was seen leaving. */
  abortedAfterMs?: number;
}

/** Makes the record of a call that begins now. */
export function beginCall(id: string, path: string, headers: Json): Call {
  return {
    id,
    path,
    body: {},
    headers,
    promptTokens: 0,
    outputTokens: 0,
    chunksSent: 0,
    startedAt: Date.now(),
    aborted: false,
  };
}

/** Closes the record once; `complete` tells whether the answer's last byte was written. */
export function endCall(call: Call, complete: boolean): void {
  if (call.endedAt !== undefined) return;
  call.endedAt = Date.now();
  if (complete) return;
  call.aborted = true;
  call.abortedAfterMs = call.endedAt - call.startedAt;
}
