import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export type VendorDouble = Awaited<ReturnType<typeof startVendor>>;

interface Call {
  key: string | undefined;
  body: {
    model: string;
    stream?: boolean;
    tools?: { function: { name: string } }[];
    max_tokens?: number;
    max_completion_tokens?: number;
  };
}

/** A model that never stops. */
export const ENDLESS = 'endless';

const TEXT = 'The real model says: Paris.';
const USAGE = { prompt_tokens: 40, completion_tokens: 10, total_tokens: 50 };

/**
 * A vendor behind OpenAI's protocol over a real socket: it takes one key and some models, calls the tool `answer` where it is offered, and
 * otherwise answers in words.
 */
export async function startVendor({ key, models }: { key: string; models: string[] }) {
  const calls: Call[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = { key: keyOf(request), body: (await json(request)) as Call['body'] };
    calls.push(call);
    if (call.key !== key) refuse(response, 401, 'invalid_api_key', `Incorrect API key provided: ${call.key}.`);
    else if (!models.includes(call.body.model)) refuse(response, 404, 'model_not_found', 'There is no such model.');
    else if (call.body.model === ENDLESS) sendWithoutEnd(response);
    else if (call.body.stream) sendStream(response, call.body);
    else sendWhole(response, call.body);
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}/v1`, calls, stop };
}

const keyOf = ({ headers }: IncomingMessage): string | undefined => headers.authorization?.replace(/^Bearer /, '');

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } }));
}

function sendWhole(response: ServerResponse, { model }: Call['body']): void {
  const choices = [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id: 'c1', object: 'chat.completion', created: 1, model, choices, usage: USAGE }));
}

/** Words until the caller leaves. */
function sendWithoutEnd(response: ServerResponse): void {
  const choices = [{ index: 0, delta: { content: 'word '.repeat(1_000) }, finish_reason: null }];
  const frame = `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, choices })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = () => response.destroyed || response.write(frame, () => setImmediate(send));
  send();
}

function sendStream(response: ServerResponse, { model, tools }: Call['body']): void {
  const isAsked = tools?.some((tool) => tool.function.name === 'answer');
  const call = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: 'answer', arguments: '{"text":"Paris"}' },
  };
  const delta = { role: 'assistant', ...(isAsked ? { tool_calls: [call] } : { content: TEXT }) };
  const parts = [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: isAsked ? 'tool_calls' : 'stop' }] },
    { choices: [], usage: USAGE },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const part of parts)
    response.write(
      `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model, ...part })}\n\n`,
    );
  response.end('data: [DONE]\n\n');
}
