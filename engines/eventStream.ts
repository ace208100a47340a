import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { RequestError } from '../rules/protocol/requestError.ts';

// Gateways close an idle connection.
const QUEUE_NOTICE_MS = 10_000;

/**
 * Sends items as server-sent events and ends with `[DONE]`, at the reader's pace. The first item is awaited before the head is sent, so
 * that a refusal can still be a plain error with its status. After ten seconds the head is sent anyway, followed by comments with the
 * position in the queue.
 */
export async function sendEventStream(
  response: ServerResponse,
  items: AsyncGenerator<object>,
  signal: AbortSignal,
  queuePosition: () => number,
): Promise<void> {
  const notices = setInterval(() => {
    if (!response.headersSent) sendHead(response);
    response.write(`: queue position ${queuePosition()}\n\n`);
  }, QUEUE_NOTICE_MS);
  let item: IteratorResult<object>;
  try {
    item = await items.next();
  } catch (error) {
    if (!response.headersSent || signal.aborted) throw error;
    response.end(`data: ${JSON.stringify(failure(error))}\n\n`);
    return;
  } finally {
    clearInterval(notices);
  }
  if (!response.headersSent) sendHead(response);
  try {
    for (; !item.done; item = await items.next()) await send(response, JSON.stringify(item.value), signal);
    response.end('data: [DONE]\n\n');
  } catch (error) {
    if (signal.aborted) response.destroy();
    else response.end(`data: ${JSON.stringify(failure(error))}\n\n`);
  } finally {
    await items.return(undefined);
  }
}

function sendHead(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
}

async function send(response: ServerResponse, data: string, signal: AbortSignal): Promise<void> {
  if (!response.write(`data: ${data}\n\n`)) await once(response, 'drain', { signal });
}

function failure(error: unknown): object {
  if (error instanceof RequestError) return error.toBody();
  return new RequestError(500, 'model_failed', 'The model failed while it was answering.').toBody();
}
