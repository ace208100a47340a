import { APIConnectionError, APITimeoutError, AuthenticationError, errorOf } from './errors.ts';

export interface HttpOptions {
  baseUrl: string;
  apiKey: string | undefined;
  maxRetries: number;
  timeoutMs: number;
  fetch: typeof globalThis.fetch;
}

/**
 * Sends one request, with its retries: `make` makes it for each try. Resolves with any success; throws an `APIError` for other answers, or
 * `APIConnectionError`.
 */
export type Send = (make: () => Request) => Promise<Response>;

export const NO_KEY = 'No key: give `apiKey`, or set LEDGERLINE_API_KEY.';

const RETRIED = new Set([408, 429, 500, 502, 503, 504]);
const DELAY_FIRST_MS = 500;
const DELAY_MAX_MS = 8_000;
const RETRY_AFTER_MAX_MS = 60_000;

/**
 * A `fetch` that adds the key, gives each write an idempotency key of its own so that a retry never costs twice, and repeats what may be
 * repeated: lost connections, JSON that is cut, 408, 429 and 5xx, as the answer's headers say. While the first try still runs (409
 * `idempotency_in_progress`) it asks again until `timeoutMs` are over. Other answers, such as streams, are handed out as they begin.
 */
export function createSend(options: HttpOptions): Send {
  const { apiKey, maxRetries } = options;
  return async (make) => {
    const key = crypto.randomUUID();
    // Not the time of day, which can jump.
    const endsAtMs = performance.now() + options.timeoutMs;
    for (let retry = 0; ;) {
      const request = make();
      const { headers, method } = request;
      // Those of the request win.
      if (apiKey && !headers.has('authorization')) headers.set('authorization', `Bearer ${apiKey}`);
      if (!/^(GET|HEAD)$/.test(method) && !headers.has('idempotency-key')) headers.set('idempotency-key', key);
      const answer = await tryOnce(request, options);
      if (answer instanceof Response && isGood(answer)) return answer;
      const isRunning = answer instanceof Response && answer.status === 409 && performance.now() < endsAtMs;
      const waitMs = (isRunning || retry < maxRetries) && mayRetry(answer) ? delayMs(answer, retry) : undefined;
      if (waitMs === undefined || waitMs > RETRY_AFTER_MAX_MS) throw await refusalOf(answer, headers);
      if (!isRunning) retry += 1;
      await sleep(waitMs, request.signal);
    }
  };
}

const isGood = ({ ok, status }: Response): boolean => ok || status === 304;

async function tryOnce(request: Request, { fetch, timeoutMs }: HttpOptions): Promise<Response | Error> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  try {
    const response = await fetch(request, { signal: AbortSignal.any([request.signal, limit.signal]) });
    return isGood(response) && !/\bjson$/i.test(mediaTypeOf(response)) ? response : await whole(response);
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    const { origin } = new URL(request.url);
    if (limit.signal.aborted) return new APITimeoutError(`No answer from ${origin} within ${timeoutMs} ms.`);
    return new APIConnectionError(`The connection to ${origin} failed: ${textOf(error)}.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

const mediaTypeOf = (response: Response): string => response.headers.get('content-type')?.split(';')[0]?.trim() ?? '';

/** The answer with all of its body, so that one that is cut counts as a lost connection. */
async function whole(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer();
  const { status, statusText, headers } = response;
  return new Response(bytes.byteLength > 0 ? bytes : null, { status, statusText, headers });
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

/** As long as the answer says, or twice as long as before. The random part keeps clients from coming back all at once. */
function delayMs(answer: Response | Error, retry: number): number {
  const headers = answer instanceof Response ? answer.headers : new Headers();
  const [ms, seconds] = [headers.get('retry-after-ms'), headers.get('retry-after')];
  const saidMs = ms ? Number(ms) : seconds ? secondsMs(seconds) : NaN;
  if (!Number.isNaN(saidMs)) return Math.max(0, saidMs) + Math.random() * 250;
  return Math.min(DELAY_FIRST_MS * 2 ** retry, DELAY_MAX_MS) * (0.5 + Math.random() / 2);
}

/** `retry-after` is a number of seconds, or a date. */
const secondsMs = (text: string): number =>
  Number.isNaN(Number(text)) ? Date.parse(text) - Date.now() : Number(text) * 1000;

async function refusalOf(answer: Response | Error, sent: Headers): Promise<Error> {
  if (!(answer instanceof Response)) return answer;
  const error = errorOf(answer, await answer.text());
  const hadKey = ['authorization', 'x-api-key', 'xi-api-key'].some((name) => sent.has(name));
  if (error instanceof AuthenticationError && !hadKey) error.message = NO_KEY;
  return error;
}

/** Waits; throws the signal's reason when it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const end = () => (clearTimeout(timer), reject(signal?.reason as Error));
    const timer = setTimeout(() => (signal?.removeEventListener('abort', end), resolve()), ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/**
 * The bytes of an answer as they come. Ends with an error when nothing comes for `idleMs`, or when the signal is aborted: that of the
 * request itself may be forgotten once the answer has begun, because requests refer to signals weakly.
 */
export async function* chunksOf(
  response: Response,
  idleMs: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body!.getReader();
  const leave = () => void reader.cancel().catch(() => {});
  signal?.addEventListener('abort', leave, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new APIConnectionError(`Nothing came for ${idleMs} ms.`)), idleMs);
      });
      const { done, value } = await Promise.race([reader.read(), silence]);
      clearTimeout(timer);
      signal?.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
    await reader.cancel().catch(() => {});
  }
}
