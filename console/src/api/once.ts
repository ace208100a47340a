const KEY = 'idempotency-key';
const CONFLICT = 409;
const FAILED = 500;

/** The keys of writes whose outcome nobody knows, by what they ask for. */
const unknown = new Map<string, string>();

/**
 * Sends a request. A write of JSON carries an idempotency key; when its answer is lost, the next one that asks for the same has the same
 * key, so that a person who tries again does not pay or start twice.
 */
export async function fetchOnce(request: Request): Promise<Response> {
  if (!isWrite(request)) return fetch(request);
  const asked = `${request.method} ${request.url} ${request.headers.get('x-ledgerline-workspace')} ${await request.clone().text()}`;
  const key = unknown.get(asked) ?? newKey();
  // Whoever asks for the same meanwhile wants another one.
  unknown.delete(asked);
  request.headers.set(KEY, key);
  try {
    const response = await fetch(request);
    if (response.status >= FAILED || response.status === CONFLICT) unknown.set(asked, key);
    return response;
  } catch (error) {
    if (!request.signal.aborted) unknown.set(asked, key);
    throw error;
  }
}

const isWrite = ({ method, headers }: Request): boolean =>
  method !== 'GET' && (headers.get('content-type') ?? 'application/json').startsWith('application/json');

// `randomUUID` exists only on secure addresses.
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
