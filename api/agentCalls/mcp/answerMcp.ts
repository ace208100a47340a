import type { OutgoingHttpHeader } from 'node:http';
import { createMcpHandler, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Context, Handler } from '../../context.ts';
import { API_VERSION } from '../../http/flatResponse.ts';
import { writeTo } from '../../http/sse.ts';
import { asApiError } from '../../../calls/errors/asApiError.ts';
import type { Services } from '../../services.ts';
import { listTools } from './agentTools.ts';
import { callTool } from './callAgent.ts';
import { readResource, RESOURCE_TEMPLATES } from './resources.ts';
import { RpcServer } from './rpcServer.ts';

const INSTRUCTIONS =
  'Tools named <namespace>__<slug> are agents. A call starts a run with your key, is billed like any other ' +
  'run, and answers when it has ended. ' +
  'When an agent asks a question, answer it with answer_run; wait for a run that continues with get_run. ' +
  'Files of an answer are resources.';

/** The request handler that `serveMcp` returns. */
export function createMcpAnswer(services: Services): Handler {
  const calls = createCalls();
  return async (ctx) => {
    const disconnect = new AbortController();
    ctx.res.on('close', () => disconnect.abort());
    const accepts = acceptedIn(ctx.get('accept'));
    const mcp = createMcpHandler(() => createServer({ ctx, services, calls, disconnect: disconnect.signal }), {
      onerror: (err) => services.log.debug({ err }, 'mcp'),
      ...(!accepts.json && { responseMode: 'sse' as const }),
    });
    const request = requestOf(ctx, services.config.publicUrl, disconnect.signal);
    // The library requires both types.
    if (accepts.json || accepts.events) request.headers.set('accept', `${JSON_TYPE}, ${EVENTS_TYPE}`);
    if (!accepts.events && isEndless(ctx.state.input)) return answerOf(ctx, streamRefused(ctx.state.input));
    const answer = await mcp.fetch(request, { parsedBody: ctx.state.input });
    await answerOf(ctx, accepts.events ? answer : await asJson(answer, ctx.state.input));
  };
}

const JSON_TYPE = 'application/json';
const EVENTS_TYPE = 'text/event-stream';

/** The forms of an answer that a client accepts. A client that does not name event streams gets JSON, which every client reads. */
function acceptedIn(header: string): { json: boolean; events: boolean } {
  const types = header.split(',').flatMap((part) => {
    const [type = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    return parameters.some((one) => /^q=0(\.0*)?$/.test(one)) ? [] : [type];
  });
  const json = header.trim() === '' || types.some((type) => [JSON_TYPE, 'application/*', '*/*'].includes(type));
  return { json, events: types.includes(EVENTS_TYPE) };
}

interface Message {
  id?: string | number;
  method?: string;
}

// Its answer ends when its client disconnects.
const isEndless = (message: unknown) => (message as Message | null)?.method === 'subscriptions/listen';

const streamRefused = (message: unknown): Response =>
  Response.json(
    {
      jsonrpc: '2.0',
      id: (message as Message).id ?? null,
      error: { code: -32_000, message: `Not Acceptable: this method answers with ${EVENTS_TYPE}` },
    },
    { status: 406 },
  );

/** The answer to `sent` as JSON, without the preceding notifications. */
async function asJson(answer: Response, sent: unknown): Promise<Response> {
  if (!answer.headers.get('content-type')?.startsWith(EVENTS_TYPE)) return answer;
  const lines = (await answer.text()).split(/\r?\n/).filter((line) => line.startsWith('data:'));
  const messages = lines
    .map((line) => line.slice('data:'.length).trim())
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as Message);
  const results = messages.filter(({ method }) => method === undefined);
  return Response.json(Array.isArray(sent) ? results : (results[0] ?? null), { status: answer.status });
}

interface Exchange {
  ctx: Context;
  services: Services;
  calls: ReturnType<typeof createCalls>;
  /** Aborts when the client has disconnected. */
  disconnect: AbortSignal;
}

function createServer({ ctx, services, calls, disconnect }: Exchange): RpcServer {
  const { keyId } = ctx.state.key;
  const server = new RpcServer(
    { name: 'ledgerline', version: API_VERSION },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  const hidden = <Result>(work: () => Promise<Result>) => work().catch((error: unknown) => hide(ctx, error));
  server.setRequestHandler('tools/list', ({ params }) => hidden(() => listTools(ctx, services, params?.cursor)));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    hidden(() =>
      calls.follow({ keyId, requestId: mcpReq.id, disconnect }, (signal) =>
        callTool(ctx, services, { params, request: mcpReq, signal }),
      ),
    ),
  );
  // Clients find files by the links in answers: a workspace may have very many.
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => RESOURCE_TEMPLATES);
  server.setRequestHandler('resources/read', ({ params }) => hidden(() => readResource(ctx, services, params.uri)));
  server.setNotificationHandler('notifications/cancelled', ({ params }) => calls.cancel(keyId, params.requestId));
  return server;
}

/** The library sends the text of any error to the client: that of a fault of ours is logged instead. */
function hide(ctx: Context, error: unknown): never {
  if (error instanceof ProtocolError) throw error;
  const { status, message } = asApiError(error, ctx.state.requestId);
  if (status < 500) throw error;
  ctx.state.log.error = error;
  throw new ProtocolError(ProtocolErrorCode.InternalError, message);
}

type RequestId = string | number;

/**
 * The open calls of this process. Clients of the 2025 editions cancel a call by its request number. Numbers count from one in each client,
 * so a cancellation is ignored when two clients of a key have an open call of that number.
 */
function createCalls() {
  const open = new Map<string, Set<AbortController>>();
  const nameOf = (keyId: string, requestId: RequestId) => `${keyId} ${JSON.stringify(requestId)}`;

  /** Runs a call. Its signal aborts when the call is cancelled, or its client has disconnected. */
  async function follow<T>(
    { keyId, requestId, disconnect }: { keyId: string; requestId: RequestId; disconnect: AbortSignal },
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const name = nameOf(keyId, requestId);
    const cancelled = new AbortController();
    const sameName = open.get(name) ?? new Set();
    open.set(name, sameName.add(cancelled));
    try {
      return await work(AbortSignal.any([disconnect, cancelled.signal]));
    } finally {
      sameName.delete(cancelled);
      if (sameName.size === 0) open.delete(name);
    }
  }

  function cancel(keyId: string, requestId: RequestId | undefined): void {
    const named = requestId === undefined ? undefined : open.get(nameOf(keyId, requestId));
    if (named?.size === 1) for (const call of named) call.abort();
  }

  return { follow, cancel };
}

const OWN = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'content-encoding']);

/** A web `Request` without its body, which was already read. It has the public address, whatever the client sent. */
function requestOf(ctx: Context, publicUrl: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(ctx.req.headers)) {
    if (typeof value === 'string' && !OWN.has(name)) headers.set(name, value);
  }
  return new Request(new URL(ctx.path, publicUrl), { method: ctx.method, headers, signal });
}

/** Answers with a web `Response`, in pieces. Resolves when it is sent, or the client has disconnected. */
export async function answerOf(ctx: Context, answer: Response): Promise<void> {
  const { res } = ctx;
  ctx.respond = false;
  if (res.destroyed) return answer.body?.cancel();
  res.writeHead(answer.status, Object.fromEntries(answer.headers) as Record<string, OutgoingHttpHeader>);
  const reader = answer.body?.getReader();
  // A disconnected client stops reading, so the source is cancelled.
  res.on('close', () => void reader?.cancel().catch(() => {}));
  for (let piece = await reader?.read(); piece?.value && !res.destroyed; piece = await reader?.read()) {
    await writeTo(res, piece.value);
  }
  res.end();
}
