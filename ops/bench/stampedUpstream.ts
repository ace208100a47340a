import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHUNK_MS, CHUNKS, stampOf } from './stamps.ts';

/**
 * `node ops/bench/stampedUpstream.ts`: answers each chat call with a stream of twenty chunks, 5 ms apart, whose text is the time of
 * sending. Prints its address as JSON.
 */
const head = { id: 'chatcmpl-stamped', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'scripted' };
const USAGE = { prompt_tokens: 14, completion_tokens: CHUNKS, total_tokens: 14 + CHUNKS };

const server = createServer((request, response) => {
  response.sendDate = false;
  request.resume().on('end', () => void sendStream(response));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ event: 'listening', url: `http://127.0.0.1:${port}` })}\n`);
});
process.once('SIGTERM', () => process.exit(0));

async function sendStream(response: ServerResponse): Promise<void> {
  response.writeHead(200, ['content-type', 'text/event-stream']);
  const startedAtMs = performance.now();
  for (let chunk = 0; chunk < CHUNKS && !response.destroyed; chunk += 1) {
    await sleep(Math.max(0, startedAtMs + chunk * CHUNK_MS - performance.now()));
    response.write(eventOf([choiceOf({ ...(chunk === 0 && { role: 'assistant' }), content: stampOf() }, null)]));
  }
  response.write(eventOf([choiceOf({}, 'stop')]));
  response.write(eventOf([], USAGE));
  response.end('data: [DONE]\n\n');
}

const choiceOf = (delta: object, finishReason: string | null) => ({
  index: 0,
  delta,
  logprobs: null,
  finish_reason: finishReason,
});

function eventOf(choices: object[], usage: object | null = null): string {
  return `data: ${JSON.stringify({ ...head, choices, usage })}\n\n`;
}
