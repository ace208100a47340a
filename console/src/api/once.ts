import { boundSilence } from './silence.ts';

const KEY = 'idempotency-key';
const CONFLICT = 409;
const FAILED = 500;
// Longer than any answer takes. Until then a form that is saved can be neither closed nor sent again.
const READ_MS = 30_000;
const WRITE_MS = 90_000;

/** The keys of writes whose outcome nobody knows, by what they ask for. */
const unknown = new Map<string, string>();

/** The writes that have no answer yet. */
const running = new Map<string, Promise<Response>>();

/**
 * Sends a request. A write of JSON that is asked for again before its answer, as by a double click, is sent once. It carries an idempotency
 * key; when its answer is lost, the next one that asks for the same has the same key, so that a person who tries again does not pay or
 * start twice.
 */
export async function fetchOnce(request: Request): Promise<Response> {
  if (!isWrite(request)) return fetchInTime(request, READ_MS);
  const asked = `${request.method} ${request.url} ${request.headers.get('x-ledgerline-workspace')} ${await request.clone().text()}`;
  const sent = running.get(asked) ?? sendWrite(request, asked);
  running.set(asked, sent);
  const forget = () => running.get(asked) === sent && running.delete(asked);
  // Who asks again after giving it up is sent anew.
  request.signal.addEventListener('abort', forget);
  try {
    return (await sent).clone();
  } finally {
    forget();
  }
}

async function sendWrite(request: Request, asked: string): Promise<Response> {
  const key = unknown.get(asked) ?? newKey();
  unknown.delete(asked);
  request.headers.set(KEY, key);
  try {
    const response = await fetchInTime(request, WRITE_MS);
    if (response.status >= FAILED || response.status === CONFLICT) unknown.set(asked, key);
    return response;
  } catch (error) {
    if (!request.signal.aborted) unknown.set(asked, key);
    throw error;
  }
}

/** A request that is given up when no answer has begun in time. */
export async function fetchInTime(request: Request, limitMs: number): Promise<Response> {
  const { signal, end } = boundSilence(request.signal, limitMs);
  try {
    return await fetch(request, { signal });
  } finally {
    end();
  }
}

const isWrite = ({ method, headers }: Request): boolean =>
  method !== 'GET' && (headers.get('content-type') ?? 'application/json').startsWith('application/json');

// `randomUUID` exists only on secure addresses.
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
