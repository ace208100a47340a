import type { Context } from '../context.ts';

// Headers of the original answer that a replay repeats. Limits, CORS and similar headers belong to each request.
const KEPT_HEADERS = [
  'content-type',
  'x-accel-buffering',
  'x-cost-usd',
  'x-truncated',
  'request-id',
  'history-item-id',
  'character-cost',
  'location',
];

/** The first line of a stored answer. */
export interface KeptHead {
  status: number;
  route: string;
  headers: Record<string, string>;
  /** Hash of the request's body, to find a reused idempotency key. */
  bodyHash: string | null;
  /** The project of the request's key; absent: the default one, or of a process of an earlier release. */
  projectId?: string;
}

/** The head of this request's answer, as the first line of the stored answer. `more`: headers that are not set yet. */
export function headLineOf({ res, state }: Context, more: Record<string, string> = {}): string {
  const headers = { ...more };
  for (const name of KEPT_HEADERS) {
    const value = res.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  const { projectId } = state.key;
  const head: KeptHead = {
    status: res.statusCode,
    route: state.route,
    headers,
    bodyHash: state.bodyHash ?? null,
    ...(projectId !== null && { projectId }),
  };
  return JSON.stringify(head);
}

const NEWLINE = 10;

/** Splits the first part of a stored answer. */
export function splitHead(bytes: Uint8Array): { head: KeptHead; rest: Uint8Array } {
  const end = bytes.indexOf(NEWLINE);
  const line = Buffer.from(bytes.subarray(0, end)).toString();
  return { head: JSON.parse(line) as KeptHead, rest: bytes.subarray(end + 1) };
}

/** Whether the answer is a stream of events, which can be resumed. */
export const isEventStream = ({ headers }: KeptHead): boolean =>
  headers['content-type']?.startsWith('text/event-stream') ?? false;
