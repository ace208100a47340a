import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import type { RunRow } from '../../db/runs/runRow.ts';
import { placeRun } from '../runs/createRun.ts';
import { RunOrder } from '../runs/runSchema.ts';
import type { Context } from '../context.ts';
import { asApiError } from '../guard/errors.ts';
import { makeOnce } from '../guard/idempotency.ts';
import { parseBody, parseWith } from '../guard/parseWith.ts';
import type { Services } from '../services.ts';
import { CallArguments, findAgentOfTool } from './agentTools.ts';
import { followCall } from './followCall.ts';
import { resultOf } from './resultOf.ts';

/** Where a client names a call for itself, so that the same call sent again is the same run. */
const IDEMPOTENCY_KEY = 'ledgerline/idempotency-key';

interface Call {
  params: { name: string; arguments?: Record<string, unknown> };
  request: ServerContext['mcpReq'];
  /** Aborts when the call is cancelled, or its client has gone. */
  signal: AbortSignal;
}

/**
 * One call of an agent: a run, paid by the caller's key, followed until it ends or asks something. What keeps it from being run is told
 * as the tool's error, since that is what the calling model can read.
 */
export async function callAgent(ctx: Context, services: Services, call: Call): Promise<CallToolResult> {
  const { id: agent } = await findAgentOfTool(services, call.params.name);
  try {
    const run = await startRun(ctx, services, call, agent);
    return resultOf(await followCall(services, run, { ...call, keyId: ctx.state.key.keyId }), services.config);
  } catch (error) {
    const { code, message } = asApiError(error, ctx.state.requestId);
    ctx.state.log.error = error;
    return { isError: true, content: [{ type: 'text', text: `${code}: ${message}` }] };
  }
}

// Models write null for what they leave out.
const parseArguments = parseBody(CallArguments, 'arguments');
const parseOrder = parseWith(RunOrder, 'arguments');

function startRun(ctx: Context, services: Services, { params, request }: Call, agent: string): Promise<RunRow> {
  const given = parseArguments(params.arguments ?? {});
  const order = parseOrder({ ...given, agent });
  const key = request._meta?.[IDEMPOTENCY_KEY] ?? ctx.req.headers['idempotency-key'];
  return makeOnce(ctx, services.db, { prefix: 'run', request: order, key }, (runId) => {
    ctx.state.resourceId = runId;
    return placeRun(ctx, services, order);
  });
}
