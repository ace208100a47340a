import {
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequests,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { EventText } from '../../../db/events/readEvents.ts';
import { nanosOfUsd, usdTextOf } from '../../../db/money.ts';
import { costSoFarOf, type CostSoFar } from '../../../db/runs/runObject.ts';
import { type RunRow, findRun } from '../../../db/runs/runRow.ts';
import type { PublicAgent } from '../../../db/agents/publicAgents.ts';
import { cancelCall, cancelLeft, followCall } from '../followCall.ts';
import { withSentFiles } from '../sentFiles.ts';
import type { Context } from '../../context.ts';
import type { ApiError } from '../../../base/errors/apiError.ts';
import { asApiError } from '../../../calls/errors/asApiError.ts';
import { makeOnce } from '../../guard/idempotency.ts';
import { seenBy } from '../../guard/projects.ts';
import { hasDisconnected } from '../../http/onClose.ts';
import { placeRun, findAgent } from '../../runs/createRun.ts';
import { giveAnswers } from '../../runs/inputRun.ts';
import type { Services } from '../../services.ts';
import { findAgentOfTool } from './agentTools.ts';
import { readCall } from './callOrder.ts';
import { elicitationsOf, elicitedAnswers } from './elicit.ts';
import { resultOf } from './resultOf.ts';
import { isRunTool, runOfTool } from './runTools.ts';

/** Makes a call idempotent: a repeated call returns the same run. */
const IDEMPOTENCY_KEY = 'ledgerline/idempotency-key';

interface Call {
  params: { name: string; arguments?: Record<string, unknown> };
  request: ServerContext['mcpReq'];
  /** Aborts when the call is cancelled or its client has disconnected. */
  signal: AbortSignal;
}

/**
 * Handles one tool call. An agent's call is a run, paid by the caller's key and followed until it ends or requires action. Errors become
 * the tool's error, because the calling model reads only that.
 */
export async function callTool(
  ctx: Context,
  services: Services,
  call: Call,
): Promise<CallToolResult | InputRequiredResult> {
  const { name } = call.params;
  const agent = isRunTool(name) ? undefined : await findCalled(ctx, services, name);
  try {
    const end = await follow(ctx, services, await runOf(ctx, services, call, agent), call);
    if (call.signal.aborted && name !== 'get_run') await cancel(ctx, services, end);
    const inputRequests = agent && elicitationsOf(call.request, end);
    if (inputRequests) return ask(ctx, services, { tool: name, run: end, inputRequests });
    return resultOf(end, { ...services.config, outputSchema: agent?.configuration.output_schema ?? null });
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    ctx.state.log.error = error;
    return { isError: true, content: [{ type: 'text', text: textOf(asApiError(error, ctx.state.requestId)) }] };
  }
}

/** The agent of a tool, in the version that its name asks for: `<namespace>__<slug>@<channel>`. */
async function findCalled(ctx: Context, services: Services, name: string): Promise<PublicAgent> {
  const agent = await findAgentOfTool(services, { name, workspaceId: ctx.state.key.workspaceId });
  const at = name.indexOf('@');
  if (at < 0) return agent;
  const id = agent.id + name.slice(at);
  try {
    const { configuration } = await findAgent(ctx, services, { agent: id, visibility: 'public' });
    return { ...agent, id, configuration };
  } catch (error) {
    // The order is refused for the same reason, in the tool's own error.
    if ((error as ApiError).status !== 404) return { ...agent, id };
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool '${name}'.`);
  }
}

// The data of a typed agent is the arguments themselves.
const textOf = ({ code, message }: ApiError) => `${code}: ${message.replace(/^input\.0\.data\.?/, '')}`;

/** The run of a call. `after` is the number of the last event that the client has. */
interface Running {
  run: RunRow;
  after: number;
}

async function runOf(ctx: Context, services: Services, call: Call, agent?: PublicAgent): Promise<Running> {
  const known = agent ? await continuedRun(ctx, services, call) : await runOfTool(ctx, services, call.params);
  if (known) return { run: known, after: known.last_sequence };
  return { run: await startRun(ctx, services, call, agent!), after: 0 };
}

function startRun(ctx: Context, services: Services, { params, request }: Call, agent: PublicAgent): Promise<RunRow> {
  const { _meta: meta } = request;
  const { sent, withFiles } = readCall(agent, params.arguments ?? {}, meta);
  const key = meta?.[IDEMPOTENCY_KEY] ?? ctx.req.headers['idempotency-key'];
  return makeOnce(ctx, services.db, { prefix: 'run', request: [withFiles([]), sent], key }, async (runId) => {
    ctx.state.resourceId = runId;
    // A repeated call stores its files only once.
    const known = key === undefined ? undefined : await findRun(seenBy(services.db, ctx.state.key), runId);
    return known ?? withSentFiles(ctx, services, sent, (ids) => placeRun(ctx, services, withFiles(ids)));
  });
}

/** Follows the run until it has ended or requires action. Sends progress to clients that requested it. */
async function follow(ctx: Context, services: Services, { run, after }: Running, call: Call): Promise<RunRow> {
  const { keyId } = ctx.state.key;
  const { params, request, signal } = call;
  const take = (events: EventText[]) => notifyProgress(request, events);
  // `get_run` only looks: it does not keep a run.
  const leave = params.name === 'get_run' ? () => {} : services.db.answers.followRun(run.id);
  try {
    return await followCall(services, run, { keyId, signal, after, take });
  } finally {
    leave();
  }
}

/** A client that cancels its call ends the run; one that disconnects may be one of several under a key. */
const cancel = (ctx: Context, services: Services, run: RunRow): Promise<void> =>
  (hasDisconnected(ctx.res) ? cancelLeft : cancelCall)(services, run, 'the call over MCP was cancelled');

const listOf = (tool: string) => `mcp run of ${tool}`;

/** The result that asks the client's user. The client then repeats its call with the answers and the run's name. */
const ask = (ctx: Context, { cursors }: Services, { tool, run, inputRequests }: Asked): InputRequiredResult =>
  inputRequired({
    inputRequests,
    requestState: cursors.write(ctx.state.key.workspaceId, listOf(tool), run.id),
  });

interface Asked {
  tool: string;
  run: RunRow;
  inputRequests: InputRequests;
}

/** The run of a call that a client repeats with answers. Undefined for a first call. */
async function continuedRun(ctx: Context, services: Services, call: Call): Promise<RunRow | undefined> {
  const state = call.request.requestState<string>();
  if (state === undefined) return undefined;
  const { workspaceId } = ctx.state.key;
  const runId = services.cursors.read(workspaceId, listOf(call.params.name), state, 'requestState');
  const seen = seenBy(services.db, ctx.state.key);
  const run = await findRun(seen, runId);
  const answers = run ? elicitedAnswers(call.request, run) : [];
  if (answers.length === 0) return run;
  try {
    return await giveAnswers(ctx, services, { runId, answers });
  } catch (error) {
    // The client has already sent these answers.
    if ((error as ApiError).code !== 'run_not_waiting') throw error;
  }
  return findRun(seen, runId);
}

/** Progress messages for a waiting client. The answer holds the output itself. */
const PROGRESS_TEXTS: Record<string, string> = {
  'run.queued': 'Queued.',
  'run.in_progress': 'Running.',
  'run.step.started': 'Step started',
  'run.tool.progress': '',
  'run.cancelling': 'Cancelling.',
  'run.usage.updated': 'Cost so far',
  'run.budget.warning': 'Close to its cost limit.',
};

async function notifyProgress({ _meta: meta, notify }: ServerContext['mcpReq'], events: EventText[]): Promise<void> {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return;
  for (const { type, json, sequence } of events) {
    const message = PROGRESS_TEXTS[type];
    if (message === undefined) continue;
    const params = { progressToken, progress: sequence, message: message + detailIn(type, json) };
    await notify({ method: 'notifications/progress', params });
  }
}

/** The name of a step, what a tool says of its work, or the cost. */
function detailIn(type: string, json: string): string {
  const { data } = JSON.parse(json) as { data: { name: string; tool: string; message: string } & CostSoFar };
  switch (type) {
    case 'run.step.started':
      return `: ${data.name}.`;
    case 'run.tool.progress':
      return `${data.tool}: ${data.message}`;
    case 'run.usage.updated':
      return `: $${usdTextOf(nanosOfUsd(costSoFarOf(data)))}.`;
    default:
      return '';
  }
}
