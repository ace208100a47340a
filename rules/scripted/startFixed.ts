import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../providers/provider.ts';
import { wholeAnswer, type Scene, chunksOf } from './answers.ts';
import { DEFAULT_TEXT, speechOf } from './speech.ts';
import { listen } from './startScripted.ts';

const asksForStream = Buffer.from('"stream":true');

// Tokens of a typical answer: about two hundred.
const STREAMED_SENTENCES = 8;

/**
 * Starts an upstream for benchmarks: every chat call gets the same prepared bytes, so that the load and not the upstream is measured. A
 * stream repeats the answer's sentence, one packet per chunk, `delayMs` apart, with usage at its end.
 */
export async function startFixed({ port = 0, delayMs = 0 }: { port?: number; delayMs?: number }) {
  const scene = await fixedScene(DEFAULT_TEXT);
  const streamed = await fixedScene(Array(STREAMED_SENTENCES).fill(DEFAULT_TEXT).join(' '));
  const answer = Buffer.from(JSON.stringify(wholeAnswer(scene)));
  const head = ['content-type', 'application/json', 'content-length', String(answer.length)];
  const chunks = [...chunksOf(streamed, true)].map(({ json }) => Buffer.from(`data: ${JSON.stringify(json)}\n\n`));
  chunks.push(Buffer.from('data: [DONE]\n\n'));

  const { url, stop } = await listen(port, (request, response) => {
    response.sendDate = false;
    whenRead(request, (streamed) => {
      if (streamed) void sendChunks(response, chunks, delayMs);
      else response.writeHead(200, head).end(answer);
    });
  });
  return { url: `${url}/v1`, stop };
}

async function fixedScene(text: string): Promise<Scene> {
  const body: Json = { messages: [{ role: 'user', content: 'Say the fixed sentence.' }] };
  const created = 1_700_000_000;
  const speech = await speechOf({ text }, body);
  const common = { id: 'chatcmpl-fixed', model: 'scripted', choices: 1, likelyTokens: null, echoes: [], script: {} };
  return { ...common, path: 'chat/completions', created, speech };
}

function whenRead(request: IncomingMessage, answer: (streamed: boolean) => void): void {
  let streamed = false;
  request.on('data', (chunk: Buffer) => (streamed ||= chunk.includes(asksForStream)));
  request.on('end', () => answer(streamed));
}

async function sendChunks(response: ServerResponse, chunks: Buffer[], delayMs: number): Promise<void> {
  response.writeHead(200, ['content-type', 'text/event-stream']);
  for (const chunk of chunks) {
    response.write(chunk);
    await (delayMs > 0 ? sleep(delayMs) : nextTurn());
    if (response.destroyed) return;
  }
  response.end();
}
