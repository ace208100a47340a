import { hash } from 'node:crypto';
import { z } from 'zod';
import type { ResolvedAgent } from '../../../db/agents/publicAgents.ts';
import { readTasks } from '../../../db/runs/readTasks.ts';
import { findRun, isTerminal, type RunRow, type RunStatus } from '../../../db/runs/runRow.ts';
import { followCall, needsCaller } from '../followCall.ts';
import { outputTypesOf } from '../../agents/publicAgents.ts';
import { withSentFiles } from '../sentFiles.ts';
import { sentenceOf } from '../../body/fastApiWords.ts';
import { UNSTORABLE, unstorableIn } from '../../../base/json.ts';
import type { Context } from '../../context.ts';
import { closeSignal } from '../../http/onClose.ts';
import { ApiError } from '../../../base/errors/apiError.ts';
import { makeOnce } from '../../guard/idempotency.ts';
import { seenBy } from '../../guard/projects.ts';
import { runNotFound } from '../../../orders/errors.ts';
import { cancelAndNotify } from '../../runs/cancelRun.ts';
import { findAgent, placeRunOf } from '../../runs/createRun.ts';
import { giveAnswers } from '../../runs/inputRun.ts';
import { numberIssues } from '../../body/sentQuery.ts';
import type { Services } from '../../services.ts';
import { invalidMessage, unsupportedOperation, versionNotSupported } from './a2aErrors.ts';
import { answersOfMessage } from './answers.ts';
import { OUTPUT_MODES, PROTOCOL_VERSION } from './card.ts';
import { checkConfiguration, MessageRequest, orderOfMessage, placeOf } from './message.ts';
import { createTasks, STATE_NAMES, STATES, stateOf, type Task } from './task.ts';

/** A message waits for its task as long as a chat with an agent. */
const WAIT_MS = 600_000;
const TASKS_PER_PAGE = 50;
const LIST = 'a2a tasks';

const count = z.coerce.number().int();
const flag = z.union([z.boolean(), z.stringbool()]);

const TaskQuery = z.object({ id: z.string(), historyLength: count.min(0).optional() });

export const TasksQuery = z.object({
  contextId: z.string().optional(),
  status: z.enum(['', ...STATE_NAMES]).optional(),
  pageSize: count.min(1).max(100).default(TASKS_PER_PAGE),
  pageToken: z.string().optional(),
  historyLength: count.min(0).optional(),
  statusTimestampAfter: z.iso.datetime({ offset: true }).optional(),
  includeArtifacts: flag.default(false),
});

/** A request in either binding: its agent (null at the platform's address) and its parameters. */
export interface Call {
  agent: string | null;
  params: unknown;
}

/** The agent in the path; null at the platform's address. */
export const agentOf = ({ state: { params } }: Context): string | null =>
  params.namespace === undefined ? null : `${params.namespace}/${params.slug}`;

/** Throws for a client of another protocol version. A request without a version counts as this version. */
export function checkVersion(ctx: Context): void {
  const version = ctx.get('a2a-version');
  if (version !== '' && !/^1(\.\d+)*$/.test(version)) throw versionNotSupported(version);
  ctx.set('a2a-version', PROTOCOL_VERSION);
}

/** The run of a message: a new run, or the answered run. Events after the number `after` are new to the client. */
interface Begun {
  run: RunRow;
  request: MessageRequest;
}

/** Starts a task with a message, or answers a waiting task. A repeated message finds the same task. */
export async function beginTask(ctx: Context, services: Services, call: Call): Promise<Begun> {
  const request = parse(MessageRequest, call.params);
  const { taskId, messageId } = request.message;
  const name = call.agent ?? request.tenant ?? request.metadata?.agent ?? request.message.metadata?.agent;
  const key = `a2a-${hash('sha256', messageId, 'hex')}`;
  const { configuration: _how, ...asked } = request;
  const once = { prefix: 'run', request: asked, key, route: `A2A ${name ?? taskId}` };
  const run = await makeOnce(ctx, services.db, once, async (runId, isFirst) => {
    if (taskId) return answer(ctx, services, { call, request, runId: taskId, isFirst });
    const known = isFirst ? undefined : await findRun(seenBy(services.db, ctx.state.key), runId);
    ctx.state.resourceId = runId;
    return known ?? begin(ctx, services, request, name);
  });
  return { run, request };
}

async function begin(ctx: Context, services: Services, request: MessageRequest, name?: string): Promise<RunRow> {
  if (name === undefined)
    throw invalidMessage('metadata.agent', 'name one of the skills of the agent card, <namespace>/<slug>.');
  const agent = await findAgent(ctx, services, { agent: name, visibility: 'public' });
  checkConfiguration(request, outputModesOf(agent));
  const { sent, withFiles } = orderOfMessage(agent, request, services.config);
  try {
    return await withSentFiles(ctx, services, sent, (ids) =>
      placeRunOf(ctx, services, { order: withFiles(ids), agent }),
    );
  } catch (error) {
    throw inPlace(error);
  }
}

const outputModesOf = ({ configuration }: ResolvedAgent) =>
  outputTypesOf(configuration).map((type) => OUTPUT_MODES[type]);

// Renames a member of the run's order to its place in the message.
function inPlace(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.param === null) return error;
  const { status, code, message, param } = error;
  const place = placeOf(param);
  return new ApiError({ status, code, param: place, message: message.replace(param, place), cause: error });
}

interface Answering {
  call: Call;
  request: MessageRequest;
  runId: string;
  isFirst: boolean;
}

async function answer(ctx: Context, services: Services, { call, request, runId, isFirst }: Answering): Promise<RunRow> {
  const run = await findTask(ctx, services, call, runId);
  const { contextId } = request.message;
  if (contextId && contextId !== run.session_id)
    throw invalidMessage('message.contextId', `the task belongs to the context ${run.session_id}.`);
  const isWaiting = run.status === 'requires_action' && needsCaller(run);
  if (!isWaiting) {
    if (!isFirst) return run;
    throw unsupportedOperation(`The task does not wait for a message: it is ${stateOf(run.status)}.`);
  }
  return giveAnswers(ctx, services, { runId, answers: answersOfMessage(request, run) });
}

/** `SendMessage`: the task, once it has ended or requires input, or at once if requested. */
export async function sendMessage(ctx: Context, services: Services, call: Call): Promise<{ task: Task }> {
  const { run, request } = await beginTask(ctx, services, call);
  const { historyLength, returnImmediately } = request.configuration ?? {};
  const end = returnImmediately ? run : await waitFor(ctx, services, run);
  return { task: await tasksOf(ctx, services).taskOf(end, { historyLength }) };
}

// A disconnected client leaves the task running, and can request it again.
function waitFor(ctx: Context, services: Services, run: RunRow): Promise<RunRow> {
  const signal = AbortSignal.any([closeSignal(ctx.res), AbortSignal.timeout(WAIT_MS)]);
  return followCall(services, run, { keyId: ctx.state.key.keyId, signal, after: run.last_sequence, take: () => {} });
}

/** `GetTask`. */
export async function getTask(ctx: Context, services: Services, call: Call): Promise<Task> {
  const { id, historyLength } = parse(TaskQuery, call.params);
  return tasksOf(ctx, services).taskOf(await findTask(ctx, services, call, id), { historyLength });
}

/** `ListTasks`: the workspace's tasks of this agent, most recently changed first. */
export async function listTasks(ctx: Context, services: Services, call: Call) {
  const asked = parse(TasksQuery, call.params);
  const { pageSize, pageToken, historyLength, includeArtifacts } = asked;
  const { workspaceId } = ctx.state.key;
  const list = [LIST, call.agent, asked.contextId, asked.status, asked.statusTimestampAfter].join(' ');
  const { runs, next, total } = await readTasks(seenBy(services.db, ctx.state.key), {
    agent: call.agent,
    sessionId: asked.contextId || null,
    statuses: asked.status ? statusesOf(asked.status) : null,
    changedAfter: asked.statusTimestampAfter ?? null,
    after: pageToken ? services.cursors.read(workspaceId, list, pageToken, 'pageToken') : null,
    limit: pageSize,
  });
  const { taskOf } = tasksOf(ctx, services);
  return {
    tasks: await Promise.all(runs.map((run) => taskOf(run, { historyLength, hasArtifacts: includeArtifacts }))),
    nextPageToken: next === null ? '' : services.cursors.write(workspaceId, list, next),
    pageSize,
    totalSize: total,
  };
}

function statusesOf(state: string): RunStatus[] | null {
  if (state === 'TASK_STATE_UNSPECIFIED') return null;
  return (Object.keys(STATES) as RunStatus[]).filter((status) => STATES[status] === state);
}

/** `CancelTask`. */
export async function cancelTask(ctx: Context, services: Services, call: Call): Promise<Task> {
  const { id } = parse(TaskQuery, call.params);
  await findTask(ctx, services, call, id);
  const { workspaceId } = ctx.state.key;
  const reason = 'cancelled over A2A';
  const cancelled = await cancelAndNotify(services, { workspaceId, runId: id, mode: 'immediate', reason });
  if (cancelled.outcome === 'not_found') throw runNotFound(id);
  const { run, outcome } = cancelled;
  if (outcome === 'already_terminal')
    throw new ApiError({
      status: 409,
      code: 'run_already_terminal',
      message: `The task has ended: it is ${stateOf(run.status)}.`,
    });
  return tasksOf(ctx, services).taskOf(run);
}

/** The run that `SubscribeToTask` follows. Throws when it has ended. */
export async function subscribedRun(ctx: Context, services: Services, call: Call): Promise<RunRow> {
  const { id } = parse(TaskQuery, call.params);
  const run = await findTask(ctx, services, call, id);
  if (isTerminal(run.status))
    throw unsupportedOperation(`The task has ended: it is ${stateOf(run.status)}. Read it with GetTask.`);
  return run;
}

async function findTask(ctx: Context, { db }: Services, { agent }: Call, runId: string): Promise<RunRow> {
  const run = await findRun(seenBy(db, ctx.state.key), runId);
  if (!run || (agent !== null && run.agent !== agent)) throw runNotFound(runId);
  return run;
}

export const tasksOf = (ctx: Context, { db, config }: Services) => createTasks(seenBy(db, ctx.state.key), config);

function parse<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const unstorable = unstorableIn(params);
  if (unstorable) throw invalidMessage(unstorable.join('.'), UNSTORABLE);
  const [wrong] = schema instanceof z.ZodObject ? numberIssues(schema, params) : [];
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success && !wrong) return parsed.data;
  const issue = wrong ?? parsed.error!.issues[0]!;
  throw invalidMessage(issue.path.join('.') || 'params', sentenceOf(issue, params ?? {}));
}
