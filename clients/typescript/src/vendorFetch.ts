import { APIError } from './errors.ts';
import { sleep, type Send } from './http.ts';

type Fetch = typeof globalThis.fetch;

const FAILURES_MAX = 8;
const DELAY_FIRST_MS = 100;
const FRAME_END = '\n\n';

/**
 * A `fetch` for the clients of vendors, which do not see that an answer is cut after its head. JSON that is cut counts as a lost
 * connection, which they retry; a stream goes on where it was cut, from the copy that the service keeps for some minutes.
 */
export function createVendorFetch({ baseUrl, send, fetch }: { baseUrl: string; send: Send; fetch: Fetch }): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (/\bjson\b/i.test(type)) return withBody(response, await response.arrayBuffer());
    const requestId = response.headers.get('x-request-id');
    if (!response.body || !requestId || !type.startsWith('text/event-stream')) return response;
    const signal = init?.signal ?? undefined;
    const key = new Headers(init?.headers).get('authorization');
    const url = `${baseUrl}/platform/v1/requests/${encodeURIComponent(requestId)}/stream`;
    const goOn = (events: number) => {
      const headers = { 'last-event-id': String(events), ...(key && { authorization: key }) };
      return send(() => new Request(url, { headers, signal }));
    };
    return withBody(response, streamOf(wholeFrames(response, goOn, signal)));
  };
}

function withBody({ status, statusText, headers }: Response, body: ArrayBuffer | ReadableStream): Response {
  const hasBody = !(body instanceof ArrayBuffer) || body.byteLength > 0;
  return new Response(hasBody ? body : null, { status, statusText, headers });
}

/** The events of a stream as text, each whole and once. `goOn` opens it again after so many events. */
async function* wholeFrames(
  first: Response,
  goOn: (events: number) => Promise<Response>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  let response = first;
  let events = 0;
  for (let failures = 0; ;) {
    try {
      // Everything was received before.
      if (response.status === 204) return;
      for await (const frame of framesOf(response)) {
        if (/^data:/m.test(frame)) [events, failures] = [events + 1, 0];
        yield frame;
      }
      return;
    } catch (error) {
      if (signal?.aborted || failures >= FAILURES_MAX) throw error;
      await sleep(DELAY_FIRST_MS * 2 ** failures, signal);
      failures += 1;
      // A stream that is not kept, or not any more, ends as it was cut.
      response = await goOn(events).catch((refusal: unknown) => {
        throw refusal instanceof APIError ? error : refusal;
      });
    }
  }
}

/** What is between the empty lines of a stream. Throws when the connection ends before the stream does. */
async function* framesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const frames = (rest + decoder.decode(value, { stream: true })).split(FRAME_END);
      rest = frames.pop()!;
      for (const frame of frames) yield frame + FRAME_END;
    }
    if (rest) yield rest;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function streamOf(texts: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return();
    },
  });
}
