import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import type { EventText } from '../../db/runs/events/readEvents.ts';
import { type RunRow, findRun, isTerminal } from '../../db/runs/runRow.ts';
import { parseBody, parseWith } from '../body/parseWith.ts';
import type { Context } from '../context.ts';
import { keyEnded } from '../errors/keyErrors.ts';
import { asApiError } from '../guard/errors.ts';
import { makeOnce } from '../guard/idempotency.ts';
import { cancelAndNotify } from '../runs/cancelRun.ts';
import { placeRun } from '../runs/createRun.ts';
import { openKeyedFeed } from '../runs/followRun.ts';
import { RunOrder } from '../runs/runSchema.ts';
import type { Services } from '../services.ts';
import { CallArguments, findAgentOfTool } from './agentTools.ts';
import { resultOf } from './resultOf.ts';

/** The member by which a client makes a call idempotent: a repeated call returns the same run. */
const IDEMPOTENCY_KEY = 'ledgerline/idempotency-key';

interface Call {
  params: { name: string; arguments?: Record<string, unknown> };
  request: ServerContext['mcpReq'];
  /** Aborts when the call is cancelled or its client has disconnected. */
  signal: AbortSignal;
}

/**
 * One call of an agent: a run, paid by the caller's key and followed until it ends or requires action. Errors become the tool's error,
 * because the calling model reads only that.
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

// Models write null for members without a value.
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

interface Followed {
  request: ServerContext['mcpReq'];
  signal: AbortSignal;
  /** The caller's key. */
  keyId: string;
}

/**
 * Resolves with the run when it has ended or requires action, or when this process shuts down. Sends progress to clients that requested it.
 * A cancelled call cancels its run. Throws 401 when the caller's key ends.
 */
async function followCall(services: Services, run: RunRow, { request, signal, keyId }: Followed): Promise<RunRow> {
  const { db } = services;
  const place = { workspaceId: run.workspace_id, runId: run.id };
  const feed = openKeyedFeed(services, keyId, { ...place, after: 0, reached: run.last_sequence });
  signal.addEventListener('abort', feed.close, { once: true });
  if (signal.aborted) feed.close();
  let current = run;
  try {
    while (!needsCaller(current)) {
      const events = await feed.next();
      if (!events) break;
      await notifyProgress(request, events);
      current = (await findRun(db.read(run.workspace_id), run.id)) ?? current;
    }
  } finally {
    feed.close();
  }
  if (feed.hasKeyEnded()) throw keyEnded();
  if (signal.aborted && !isTerminal(current.status)) await cancelAndNotify(services, { ...place, ...ABANDONED });
  return current;
}

const ABANDONED = { mode: 'immediate' as const, reason: 'the call over MCP was cancelled' };

const needsCaller = ({ status }: RunRow) => isTerminal(status) || status === 'requires_action';

/** Progress messages for a waiting client. The answer holds the output itself. */
const PROGRESS_TEXTS: Record<string, string> = {
  'run.queued': 'Queued.',
  'run.in_progress': 'Running.',
  'run.step.started': 'Step started',
  'run.cancelling': 'Cancelling.',
  'run.budget.warning': 'Close to its cost limit.',
};

async function notifyProgress({ _meta: meta, notify }: ServerContext['mcpReq'], events: EventText[]): Promise<void> {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return;
  for (const { type, json, sequence } of events) {
    const message = PROGRESS_TEXTS[type];
    if (message === undefined) continue;
    const params = { progressToken, progress: sequence, message: message + stepIn(type, json) };
    await notify({ method: 'notifications/progress', params });
  }
}

function stepIn(type: string, json: string): string {
  if (type !== 'run.step.started') return '';
  const { data } = JSON.parse(json) as { data: { name: string } };
  return `: ${data.name}.`;
}
