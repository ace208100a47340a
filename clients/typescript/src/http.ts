import { APIConnectionError } from './errors.ts';

export interface HttpOptions {
  apiKey: string | undefined;
  maxRetries: number;
  timeoutMs: number;
  fetch: typeof globalThis.fetch;
}

const RETRIED = new Set([408, 409, 429, 500, 502, 503, 504]);
const DELAY_FIRST_MS = 500;
const DELAY_MAX_MS = 8_000;
const RETRY_AFTER_MAX_MS = 60_000;

/**
 * A `fetch` that adds the key, gives each write a key of its own so that a retry never costs twice, and repeats what may be repeated: lost
 * connections, 408, 409 while the first try runs, 429 and 5xx, as `retry-after` says. Throws `APIConnectionError` when no answer came.
 */
export function createFetch(options: HttpOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const { apiKey, maxRetries } = options;
    const headers = new Headers(request.headers);
    if (apiKey && !headers.has('authorization')) headers.set('authorization', `Bearer ${apiKey}`);
    if (request.method !== 'GET' && !headers.has('idempotency-key'))
      headers.set('idempotency-key', crypto.randomUUID());
    for (let retry = 0; ; retry += 1) {
      const answer = await tryOnce(new Request(request.clone(), { headers }), options);
      if (retry >= maxRetries || !mayRetry(answer)) {
        if (answer instanceof Response) return answer;
        throw answer;
      }
      if (answer instanceof Response) await answer.body?.cancel();
      await sleep(delayMs(answer, retry), request.signal);
    }
  };
}

async function tryOnce(request: Request, { fetch, timeoutMs }: HttpOptions): Promise<Response | Error> {
  try {
    return await fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) });
  } catch (error) {
    if (request.signal.aborted) throw error;
    return new APIConnectionError(`No answer from ${new URL(request.url).origin}: ${textOf(error)}`, { cause: error });
  }
}

function textOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { message?: string } };
  return cause?.message ?? message;
}

function mayRetry(answer: Response | Error): boolean {
  if (answer instanceof Error) return true;
  const said = answer.headers.get('x-should-retry');
  return said === null ? RETRIED.has(answer.status) : said === 'true';
}

function delayMs(answer: Response | Error, retry: number): number {
  const said = answer instanceof Response ? answer.headers.get('retry-after') : null;
  if (said && Number(said) >= 0) return Math.min(Number(said) * 1000, RETRY_AFTER_MAX_MS);
  return Math.min(DELAY_FIRST_MS * 2 ** retry, DELAY_MAX_MS) * (0.75 + Math.random() / 4);
}

/** Waits; throws the signal's reason when it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
