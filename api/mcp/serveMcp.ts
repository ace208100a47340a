import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';

/**
 * `POST /v1/mcp`: the public agents as tools of one MCP server, over streamable HTTP without sessions. Each request is served by itself,
 * in the newest edition of the protocol or in those of 2025, so that it does not matter which API process answers it.
 * The protocol's library, a large one, is loaded with the first request.
 */
export function serveMcp(services: Services): Handler {
  let loading: Promise<Handler> | undefined;
  const load = async () => (await import('./answerMcp.ts')).createMcpAnswer(services);
  return async (ctx) => (await (loading ??= load()))(ctx);
}
