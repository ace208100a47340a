import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { portError } from '../base/portError.ts';
import { AGENT_MODEL_ID } from './agentModel.ts';
import { type EmbeddedConfig, MODEL_ID } from './config.ts';
import { routeEngines } from './engineRoutes.ts';
import { sendEventStream } from './eventStream.ts';
import type { ModelHost } from './modelHost.ts';
import { isRehearsal, REHEARSAL_MODEL_ID } from '../rules/rehearsal/rehearsal.ts';
import { sendError, sendJson } from '../rules/protocol/replies.ts';
import { invalidValue, RequestError } from '../rules/protocol/requestError.ts';
import { SENTENCE_MODEL_ID } from './sentences/sentenceModel.ts';
import { chatEvents, chatAnswer, chatChunks } from './text/chat.ts';
import { completionAnswer, completionChunks, completionEvents } from './text/completions.ts';
import { embed } from './text/embeddings.ts';
import type { Engine } from './text/engine.ts';
import { refuseUnread } from './text/unread.ts';
import { ChatInput, CompletionInput, EmbeddingInput, parseInput } from '../rules/protocol/schema.ts';

const BODY_BYTES_MAX = 4 * 1024 * 1024;

interface ModelServer {
  /** The base address for an OpenAI-compatible client. */
  url: string;
  /** Refuses new calls, waits up to `graceMs` for running ones, and aborts the rest. */
  drain(graceMs: number): Promise<void>;
}

/** Serves the model over the OpenAI wire protocol. Resolves when it listens. */
export async function startServer(host: ModelHost, config: ServerConfig): Promise<ModelServer> {
  const stopping = new AbortController();
  const server = createServer((request, response) => {
    // A connection that becomes idle while the server is closing would otherwise be kept for a next call.
    response.once('close', () => setImmediate(() => server.listening || server.closeIdleConnections()));
    void respond(host, config, { request, response, stopping: stopping.signal });
  });
  await listen(server, config);
  const { port } = server.address() as AddressInfo;
  const hostname = config.host.includes(':') ? `[${config.host}]` : config.host;
  return { url: `http://${hostname}:${port}/v1`, drain: (graceMs) => drain(server, stopping, graceMs) };
}

type ServerConfig = Pick<EmbeddedConfig, 'host' | 'port' | 'dataDir' | 'threads'>;

async function respond(
  host: ModelHost,
  config: ServerConfig,
  { request, response, stopping }: { request: IncomingMessage; response: ServerResponse; stopping: AbortSignal },
): Promise<void> {
  const left = new AbortController();
  response.on('close', () => left.abort());
  const signal = AbortSignal.any([left.signal, stopping]);
  try {
    if (!(await routeEngines(host.agents, config, request, response))) await route(host, request, response, signal);
  } catch (error) {
    if (signal.aborted || response.headersSent) response.destroy();
    else sendError(response, error);
  }
}

async function route(
  host: ModelHost,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const name = `${request.method} ${(request.url ?? '/').split('?')[0]}`;
  if (name === 'GET /health') return sendHealth(host, response);
  if (name === 'GET /v1/models') return sendJson(response, 200, { object: 'list', data: modelEntries });
  const handler = handlers[name];
  if (!handler) throw new RequestError(404, 'not_found', `There is no ${name} here.`);
  const body = await readBody(request);
  if (isRehearsal(body)) return host.rehearsal.answer(name.split(' ')[1]!, body, response, signal);
  if (isForSentences(name, body))
    return sendJson(response, 200, await host.sentences.embed(parseInput(EmbeddingInput, body), signal));
  const isForAgents = (body as { model?: unknown } | null)?.model === AGENT_MODEL_ID;
  if (isForAgents && handler !== chat) throw invalidValue('model', 'This model answers chats alone.');
  const engine = isForAgents ? await host.agents.engine() : host.engine();
  const reply = handler(engine, body, signal);
  if ('whole' in reply) sendJson(response, 200, await reply.whole);
  else await sendEventStream(response, reply.items, signal, () => engine.places.positionOf(signal));
}

const modelEntry = { object: 'model', created: 1_730_419_200, owned_by: 'embedded' };
const modelEntries = [MODEL_ID, SENTENCE_MODEL_ID, AGENT_MODEL_ID, REHEARSAL_MODEL_ID].map((id) => ({
  ...modelEntry,
  id,
}));

const isForSentences = (name: string, body: unknown): boolean =>
  name === 'POST /v1/embeddings' && (body as { model?: unknown } | null)?.model === SENTENCE_MODEL_ID;

function sendHealth(host: ModelHost, response: ServerResponse): void {
  const health = host.health();
  sendJson(response, health.status === 'ok' ? 200 : 503, health);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX) throw bodyTooLarge();
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) request.destroy(bodyTooLarge());
  });
  try {
    return await json(request);
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw new RequestError(400, 'invalid_json', 'The request body is not valid JSON.');
  }
}

function bodyTooLarge(): RequestError {
  return new RequestError(413, 'request_too_large', `The request body is larger than ${BODY_BYTES_MAX} bytes.`);
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(portError(error, 'EMBEDDED_PORT', { host, port })));
    server.listen(port, host, resolve);
  });
}

async function drain(server: Server, stopping: AbortController, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const timer = setTimeout(() => {
    stopping.abort();
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearTimeout(timer);
}

/** A handler's answer: whole, or as a stream's items. */
type Reply = { whole: Promise<object> } | { items: AsyncGenerator<object> };

type Handler = (engine: Engine, body: unknown, signal: AbortSignal) => Reply;

/** The routes that need the model, by method and path. */
const handlers: Record<string, Handler> = {
  'POST /v1/chat/completions': chat,
  'POST /v1/completions': complete,
  'POST /v1/embeddings': (engine, body, signal) => {
    const input = parseInput(EmbeddingInput, body);
    checkModel(input.model, engine);
    return { whole: embed(engine, input, signal) };
  },
};

function chat(engine: Engine, body: unknown, signal: AbortSignal): Reply {
  const input = parseInput(ChatInput, body);
  checkModel(input.model, engine);
  refuseUnread(input);
  const events = chatEvents(engine, input, signal);
  if (input.stream) return { items: chatChunks(engine, events, input.stream_options) };
  return { whole: chatAnswer(engine, events) };
}

function complete(engine: Engine, body: unknown, signal: AbortSignal): Reply {
  const input = parseInput(CompletionInput, body);
  checkModel(input.model, engine);
  const events = completionEvents(engine, input, signal);
  const withLogprobs = typeof input.logprobs === 'number';
  if (input.stream) return { items: completionChunks(engine, events, withLogprobs, input.stream_options) };
  return { whole: completionAnswer(engine, events, withLogprobs) };
}

function checkModel(model: string, { id }: Engine): void {
  if (model === id) return;
  throw new RequestError(404, 'model_not_found', `The model '${model}' does not exist; this is '${id}'.`, 'model');
}
