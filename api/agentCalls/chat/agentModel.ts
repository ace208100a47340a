import { newId } from '../../../db/ids.ts';
import type { ResolvedAgent } from '../../../db/agents/publicAgents.ts';
import { findRun, isTerminal, type RunRow } from '../../../db/runs/runRow.ts';
import type { RequiredAction } from '../../../db/entities/runStates.ts';
import type { BilledUsage } from '../../../calls/text/usage.ts';
import { runObject, type RunObject } from '../../../db/runs/runObject.ts';
import { openActionsOf } from '../../../db/runs/waiting/actions.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../../base/errors/apiError.ts';
import { notReady } from '../../../base/errors/serviceErrors.ts';
import { asApiError } from '../../../calls/errors/asApiError.ts';
import { makeOnce } from '../../guard/idempotency.ts';
import { seenBy } from '../../guard/projects.ts';
import { headLineOf } from '../../http/keptHead.ts';
import { hasDisconnected } from '../../http/onClose.ts';
import { EventStream, keepAlive } from '../../http/sse.ts';
import { retryableRun } from '../../replay/retryable.ts';
import { findAgent, placeRunOf } from '../../runs/createRun.ts';
import type { Services } from '../../services.ts';
import type { ParsedText } from '../../../calls/text/parameters/parameters.ts';
import type { AgentForm } from './agentForms.ts';
import { orderOfChat, type ChatOrder } from './chatOrder.ts';
import { approvalItemsOf, approvedRun } from './approvals.ts';
import { askedText } from '../asked.ts';
import { cancelCall, cancelLeft, followCall, needsCaller } from '../followCall.ts';
import { answerTextOf, BETWEEN, createRunReader, finishReasonOf, runAnswerOf, usageOfRun } from './runChunks.ts';
import { withSentFiles } from '../sentFiles.ts';

/** Answers with a run of the public agent that `model` names. Resolves with false if there is none. */
export async function answerAsAgent<Input extends ParsedText>(
  ctx: Context<Input>,
  services: Services,
  form: AgentForm<Input>,
): Promise<boolean> {
  const { model, stream } = ctx.state.input;
  // The run's session is derived from it, and may decide the version.
  ctx.state.resourceId = newId('run');
  const agent = await findNamed(ctx, services, model, form.metadataOf(ctx.state.input).session_id);
  if (!agent) return false;
  await retryableRun(ctx, services, { isStream: stream }, async () => {
    const followed = { ...(await start(ctx, services, { form, agent })), form };
    ctx.set('location', `/v1/runs/${followed.run.id}`);
    await (stream ? answerStreamed(ctx, services, followed) : answerWhole(ctx, services, followed));
  });
  return true;
}

// Without such an agent the name counts as an unknown model.
async function findNamed(
  ctx: Context,
  services: Services,
  agent: string,
  sessionId: string | undefined,
): Promise<ResolvedAgent | undefined> {
  try {
    return await findAgent(ctx, services, { agent, visibility: 'public', session_id: sessionId });
  } catch (error) {
    if ((error as ApiError).code === 'agent_not_found') return undefined;
    throw error;
  }
}

async function start<Input extends ParsedText>(
  ctx: Context<Input>,
  services: Services,
  { form, agent }: { form: AgentForm<Input>; agent: ResolvedAgent },
) {
  const request = await form.read(ctx);
  const { configuration } = agent;
  const { model } = ctx.state.input;
  const isTyped = (run: RunRow) => Boolean(run.response_format ?? configuration.output_schema);
  const { items = '', parsed } = request;
  const approved = await approvedRun(ctx, services, { model: parsed.model, input: items });
  if (approved) return { ...approved, isTyped: isTyped(approved.run) };
  const { sent, withFiles, placeOf } = orderOfChat(request, configuration);
  ctx.state.log.model = agent.agent;
  try {
    const order = { model, sent, withFiles, sessionId: request.metadata.session_id };
    const run = await orderOnce(ctx, services, order, agent);
    return { run, before: undefined, isTyped: isTyped(run) };
  } catch (error) {
    throw inDialect(error, placeOf);
  }
}

interface Ordered extends Pick<ChatOrder, 'sent' | 'withFiles'> {
  model: string;
  sessionId: string | undefined;
}

/**
 * Orders the run. A call that is repeated under its `Idempotency-Key` finds the run of the first one, also when that one's answer is no
 * longer kept, and stores its files only once.
 */
function orderOnce(
  ctx: Context<ParsedText>,
  services: Services,
  { model, sent, withFiles, sessionId }: Ordered,
  found: ResolvedAgent,
): Promise<RunRow> {
  const { db } = services;
  const place = (agent: ResolvedAgent) =>
    withSentFiles(ctx, services, sent, (ids) =>
      placeRunOf(ctx, services, { order: withFiles(ids), agent, mayWait: false }),
    );
  const key = ctx.req.headers['idempotency-key'];
  if (key === undefined) return place(found);
  return makeOnce(ctx, db, { prefix: 'run', request: ctx.state.input, key }, async (runId, isFirst) => {
    ctx.state.resourceId = runId;
    const known = await findRun(seenBy(db, ctx.state.key), runId);
    if (!isFirst) ctx.set('idempotent-replayed', 'true');
    return known ?? place((await findNamed(ctx, services, model, sessionId)) ?? found);
  });
}

/** The 422 of `POST /v1/runs` becomes 400 here. What it names has its place in this request. */
function inDialect(error: unknown, placeOf: ChatOrder['placeOf']): unknown {
  if (!(error instanceof ApiError) || (error.status !== 422 && error.param === null)) return error;
  const { code, message, param, headers } = error;
  const own = param === null ? null : placeOf(param);
  return new ApiError({
    status: error.status === 422 ? 400 : error.status,
    code,
    message,
    param: own,
    headers,
    cause: error,
  });
}

interface Followed<Input extends ParsedText> {
  run: RunRow;
  /** The run before this request has answered it: its output and its usage were in the answer before. */
  before: RunRow | undefined;
  isTyped: boolean;
  form: AgentForm<Input>;
}

async function answerWhole<Input extends ParsedText>(
  ctx: Context<Input>,
  services: Services,
  { isTyped, form, ...followed }: Followed<Input>,
): Promise<void> {
  const { end, question, approvals } = await follow(ctx, services, { ...followed, form }, () => undefined);
  const finish_reason = question === undefined ? finishReasonOf(end) : 'stop';
  const output = end.output.slice(followed.before?.output.length ?? 0);
  const texts = [answerTextOf({ ...end, output }, { isTyped }), question ?? ''].filter((text) => text !== '');
  const message = { role: 'assistant', content: texts.join(BETWEEN), ...(approvals && { approvals }) };
  form.whole(ctx, { choices: [{ index: 0, message, finish_reason }] }, usageSince(end, followed.before));
  Object.assign(ctx.body as object, { run: runAnswerOf(end) });
  const { kept } = ctx.state;
  if (!kept) return;
  kept.begin(headLineOf(ctx));
  kept.add(JSON.stringify(ctx.body));
  kept.isWhole = true;
}

async function answerStreamed<Input extends ParsedText>(
  ctx: Context<Input>,
  services: Services,
  { isTyped, form, ...followed }: Followed<Input>,
): Promise<void> {
  const presenter = form.presenter(ctx);
  let stream: EventStream | undefined;
  const open = () => (stream ??= new EventStream(ctx, presenter.start()));
  const read = createRunReader({ isTyped });
  let hasSpoken = false;
  const send = (delta: object, finishReason: string | null = null) =>
    open().send(presenter.push([{ choices: [{ index: 0, delta, finish_reason: finishReason }] }]));
  const stopKeepAlive = keepAlive(ctx.res, open);
  try {
    const { end, question, approvals } = await follow(ctx, services, { ...followed, form }, (events) => {
      const content = events.map(read).join('');
      hasSpoken ||= content !== '';
      return content === '' ? undefined : send({ content });
    });
    const finishReason = question === undefined ? finishReasonOf(end) : 'stop';
    const asked = question && { content: (hasSpoken ? BETWEEN : '') + question };
    await send({ ...asked, ...(approvals && { approvals }) }, finishReason);
    stream!.end(presenter.end({ usage: usageSince(end, followed.before), cutShort: false }));
    if (ctx.state.kept) ctx.state.kept.isWhole = true;
  } catch (error) {
    if (!stream) throw error;
    ctx.state.log.error = error;
    stream.end(presenter.fail(asApiError(error, ctx.state.requestId).body));
  } finally {
    stopKeepAlive();
  }
}

/** What the run has used since the answer before: each answer shows its own part. */
function usageSince(end: RunObject, before: RunRow | undefined): BilledUsage {
  const all = usageOfRun(end);
  if (!before) return all;
  const earlier = usageOfRun(runObject(before));
  return {
    inputTokens: all.inputTokens - earlier.inputTokens,
    outputTokens: all.outputTokens - earlier.outputTokens,
    chargedNanos: all.chargedNanos! - earlier.chargedNanos!,
  };
}

/** Aborts when the last reader has disconnected: of a kept answer after its grace period, because its client may retry. */
function leftSignal(ctx: Context): AbortSignal {
  const leaving = new AbortController();
  ctx.state.onLeave(() => leaving.abort());
  if (hasLeft(ctx)) leaving.abort();
  return leaving.signal;
}

const hasLeft = ({ res, state: { kept } }: Context) => (kept ? kept.isGone : hasDisconnected(res));

type Read = Parameters<ReturnType<typeof createRunReader>>[0];

/**
 * Follows a run to its end. When its last caller disconnects, it is cancelled, and what it consumed is paid. A run that asks a question
 * ends with it: a chat cannot answer an open run, so the question is the answer, and the next message starts another run. Where clients can
 * approve a tool's call, a run that asks for that waits, and so do the questions beside it.
 */
async function follow(
  ctx: Context,
  services: Services,
  { run, before, form }: Pick<Followed<ParsedText>, 'run' | 'before'> & { form: { canApprove: boolean } },
  take: (events: Read[]) => Promise<void> | undefined,
): Promise<{ end: RunObject; question: string | undefined; approvals?: object[] }> {
  const { keyId } = ctx.state.key;
  const signal = leftSignal(ctx);
  const next = async (from: RunRow, after: number): Promise<RunRow> => {
    const reached = await followCall(services, from, { keyId, signal, after, take });
    if (!needsCaller(reached)) throw notReady(`follow the run ${run.id} at /v1/runs/${run.id}`);
    return reached;
  };
  let current = run;
  const leave = services.db.answers.followRun(run.id);
  try {
    current = await next(run, before?.last_sequence ?? 0);
    if (isTerminal(current.status)) return { end: runObject(current), question: undefined };
    const approvals = form.canApprove ? approvalItemsOf(current) : [];
    const isShown = ({ type }: RequiredAction) => approvals.length === 0 || type !== 'tool_approval';
    const question = openActionsOf(current).filter(isShown).map(askedText).join(BETWEEN);
    if (approvals.length > 0) return { end: runObject(current), question, approvals };
    await cancelCall(services, current, 'a chat answers with the question');
    const cancelled = (await findRun(services.db.read(run.workspace_id), run.id)) ?? current;
    current = await next(cancelled, current.last_sequence);
    return { end: runObject(current), question };
  } finally {
    leave();
    if (hasLeft(ctx)) await cancelLeft(services, current, 'the client has disconnected');
  }
}
