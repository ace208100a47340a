import { createDepthWatch, JSON_DEPTH_MAX } from '../foreignJson.ts';

const ANSWER_BYTES_MAX = 8 * 1024 * 1024;

/**
 * `fetch` with limits: answers fail after 8 MiB, because they are buffered completely, and at 65 levels of JSON, because the library that
 * parses them recurses.
 */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const answer = await fetch(url, init);
  if (!answer.body) return answer;
  const isEvents = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const isTooDeep = createDepthWatch({ isEvents });
  let sizeBytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sizeBytes += chunk.length;
      if (sizeBytes > ANSWER_BYTES_MAX) controller.error(new Error('the answer is too long'));
      else if (isTooDeep(chunk))
        controller.error(new Error(`the answer is nested deeper than ${JSON_DEPTH_MAX} levels`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = answer;
  return new Response(answer.body.pipeThrough(bound), { status, statusText, headers });
}
