import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import type { Context, Handler } from '../context.ts';
import { API_VERSION } from '../http/flatResponse.ts';
import type { Services } from '../services.ts';
import { callAgent } from './callAgent.ts';
import { createCalls } from './calls.ts';
import { listTools } from './agentTools.ts';
import { answerOf, requestOf } from './webHttp.ts';

const INSTRUCTIONS =
  'Each tool is an agent. A call starts a run with your key, is billed like any other run, and answers when it has ended.';

/** The answer to each request of `serveMcp`. */
export function createMcpAnswer(services: Services): Handler {
  const calls = createCalls();
  return async (ctx) => {
    const gone = new AbortController();
    ctx.res.on('close', () => gone.abort());
    const mcp = createMcpHandler(() => createServer({ ctx, services, calls, gone: gone.signal }), {
      onerror: (err) => services.log.debug({ err }, 'mcp'),
    });
    const answer = await mcp.fetch(requestOf(ctx, services.config.publicUrl, gone.signal), {
      parsedBody: ctx.state.input,
    });
    await answerOf(ctx, answer);
  };
}

interface Exchange {
  ctx: Context;
  services: Services;
  calls: ReturnType<typeof createCalls>;
  /** Aborts when the client has closed the connection. */
  gone: AbortSignal;
}

function createServer({ ctx, services, calls, gone }: Exchange): Server {
  const { keyId } = ctx.state.key;
  const server = new Server(
    { name: 'ledgerline', version: API_VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', ({ params }) => listTools(ctx, services, params?.cursor));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    calls.follow({ keyId, requestId: mcpReq.id, gone }, (signal) =>
      callAgent(ctx, services, { params, request: mcpReq, signal }),
    ),
  );
  server.setNotificationHandler('notifications/cancelled', ({ params }) => calls.cancel(keyId, params.requestId));
  return server;
}
