import { z } from 'zod';
import { textBody } from '../../body/body.ts';
import { MEDIA_BODY } from '../../../base/limits.ts';
import { guard, type Handler } from '../../context.ts';
import { fundedFirst } from '../../guard/balance.ts';
import { type Keyed, scope } from '../../guard/key.ts';
import { limitedByMethod } from '../../guard/rate.ts';
import type { RouteDoc } from '../../http/documentedRoute.ts';
import * as headers from '../../http/documentedHeaders.ts';
import { post, type Route } from '../../http/router.ts';
import type { Services } from '../../services.ts';

const message = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});

const answer = z.looseObject({ jsonrpc: z.literal('2.0') });

const example = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'ledgerline__writer', arguments: { input: 'Write an announcement of our new opening hours.' } },
};

/** Documentation of the MCP server. */
const mcpDocs = {
  serveMcp: {
    tag: 'Agents',
    summary: 'Use agents as the tools of an MCP server',
    description:
      'Streamable HTTP of the Model Context Protocol, without sessions: give an MCP client this address and ' +
      'your key. Each public agent is a ' +
      'tool `<namespace>__<slug>` that takes `input`, `session_id` and `max_cost_usd`. A call is a run: it is ' +
      'held and billed like one, and ' +
      'cancelled when the call is, or when its client closes the connection. Refusals are answered as errors of the tool. A client whose ' +
      '`accept` names no event stream gets JSON.',
    input: { id: 'McpMessage', schema: message, example },
    headers: headers.ONCE,
    answer: { id: 'McpAnswer', schema: answer },
    stream: {
      when: 'The answer, alone or after progress notifications.',
      event: { id: 'McpAnswer', schema: answer },
    },
    statuses: [200, 202],
    errors: [406],
  },
} satisfies Record<string, RouteDoc>;

/** Agents as the tools of an MCP server. */
export function mcpRoutes(services: Services, keyed: Keyed): Route[] {
  const message = keyed(
    scope('agents'),
    textBody((value) => value, { ...MEDIA_BODY, ...fundedFirst(services) }),
    limitedByMethod({ 'notifications/cancelled': 'steering' }),
  );
  return [post('/v1/mcp', [parseErrors, ...message], serveMcp(services), mcpDocs.serveMcp)];
}

const PARSE_ERROR = -32_700;

/** A body that is no JSON is 400 with an error of JSON-RPC; errors of keys and limits keep the platform's form. */
const parseErrors = guard([], (ctx, next) => {
  ctx.state.errorForm = ({ code, status, message }) =>
    code === 'invalid_body'
      ? { status, body: { jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message } } }
      : undefined;
  return next();
});

/**
 * `POST /v1/mcp`: the public agents as tools of one MCP server, over streamable HTTP without sessions. Requests are independent, in the
 * newest edition of the protocol or the editions of 2025, so any API process can answer them. The protocol's library is large and is loaded
 * at the first request.
 */
function serveMcp(services: Services): Handler {
  let loading: Promise<Handler> | undefined;
  const load = async () => (await import('./answerMcp.ts')).createMcpAnswer(services);
  return async (ctx) => (await (loading ??= load()))(ctx);
}
