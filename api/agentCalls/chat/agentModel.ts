import { newId } from '../../../db/ids.ts';
import type { ResolvedAgent } from '../../../db/agents/publicAgents.ts';
import { findRun, isTerminal, type RunRow } from '../../../db/runs/runRow.ts';
import { runObject, type RunObject } from '../../../db/runs/runObject.ts';
import { openActionsOf } from '../../../db/runs/waiting/actions.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../../base/errors/apiError.ts';
import { notReady } from '../../../base/errors/serviceErrors.ts';
import { asApiError } from '../../../calls/errors/asApiError.ts';
import { EventStream, keepAlive } from '../../http/sse.ts';
import { findAgent, placeRunOf } from '../../runs/createRun.ts';
import type { Services } from '../../services.ts';
import type { ParsedText } from '../../../calls/text/parameters/parameters.ts';
import type { AgentForm } from './agentForms.ts';
import { orderOfChat, type ChatOrder } from './chatOrder.ts';
import { askedText } from '../asked.ts';
import { cancelCall, followCall, needsCaller } from '../followCall.ts';
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
  const { run, isTyped } = await start(ctx, services, { form, agent });
  ctx.set('location', `/v1/runs/${run.id}`);
  const followed = { run, isTyped, form };
  await (stream ? answerStreamed(ctx, services, followed) : answerWhole(ctx, services, followed));
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
  const { sent, withFiles, placeOf } = orderOfChat(request, configuration);
  ctx.state.log.model = agent.agent;
  try {
    const place = (ids: string[]) => placeRunOf(ctx, services, { order: withFiles(ids), agent, mayWait: false });
    const run = await withSentFiles(ctx, services, sent, place);
    return { run, isTyped: Boolean(run.response_format ?? configuration.output_schema) };
  } catch (error) {
    throw inDialect(error, placeOf);
  }
}

/** The 422 of `POST /v1/runs` becomes 400 here, with the path in this request. */
function inDialect(error: unknown, placeOf: ChatOrder['placeOf']): unknown {
  if (!(error instanceof ApiError) || error.status !== 422) return error;
  const { code, message, param } = error;
  const own = param === null || param === undefined ? null : placeOf(param);
  return new ApiError({ status: 400, code, message, param: own, cause: error });
}

interface Followed<Input extends ParsedText> {
  run: RunRow;
  isTyped: boolean;
  form: AgentForm<Input>;
}

async function answerWhole<Input extends ParsedText>(
  ctx: Context<Input>,
  services: Services,
  { run, isTyped, form }: Followed<Input>,
): Promise<void> {
  const { end, question } = await follow(ctx, services, run, () => undefined);
  const finish_reason = question === undefined ? finishReasonOf(end) : 'stop';
  const texts = [answerTextOf(end, { isTyped }), question ?? ''].filter((text) => text !== '');
  const message = { role: 'assistant', content: texts.join(BETWEEN) };
  form.whole(ctx, { choices: [{ index: 0, message, finish_reason }] }, usageOfRun(end));
  Object.assign(ctx.body as object, { run: runAnswerOf(end) });
}

async function answerStreamed<Input extends ParsedText>(
  ctx: Context<Input>,
  services: Services,
  { run, isTyped, form }: Followed<Input>,
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
    const { end, question } = await follow(ctx, services, run, (events) => {
      const content = events.map(read).join('');
      hasSpoken ||= content !== '';
      return content === '' ? undefined : send({ content });
    });
    const finishReason = question === undefined ? finishReasonOf(end) : 'stop';
    const asked = question !== undefined && { content: (hasSpoken && question !== '' ? BETWEEN : '') + question };
    await send(asked || {}, finishReason);
    stream!.end(presenter.end({ usage: usageOfRun(end), cutShort: false }));
  } catch (error) {
    if (!stream) throw error;
    ctx.state.log.error = error;
    stream.end(presenter.fail(asApiError(error, ctx.state.requestId).body));
  } finally {
    stopKeepAlive();
  }
}

type Read = Parameters<ReturnType<typeof createRunReader>>[0];

/**
 * Follows a run to its end. A disconnected caller cancels it and pays for what it consumed. A run that asks a question ends with it: a chat
 * cannot answer an open run, so the question is the answer, and the next message starts another run.
 */
async function follow(
  ctx: Context,
  services: Services,
  run: RunRow,
  take: (events: Read[]) => Promise<void> | undefined,
): Promise<{ end: RunObject; question: string | undefined }> {
  const { keyId } = ctx.state.key;
  const leaving = new AbortController();
  ctx.res.on('close', () => leaving.abort());
  if (ctx.res.destroyed) leaving.abort();
  const next = async (from: RunRow, after: number): Promise<RunRow> => {
    const reached = await followCall(services, from, { keyId, signal: leaving.signal, after, take });
    if (!needsCaller(reached)) throw notReady(`follow the run ${run.id} at /v1/runs/${run.id}`);
    return reached;
  };
  let current = run;
  try {
    current = await next(run, 0);
    if (isTerminal(current.status)) return { end: runObject(current), question: undefined };
    const question = openActionsOf(current).map(askedText).join(BETWEEN);
    await cancelCall(services, current, 'a chat answers with the question');
    const cancelled = (await findRun(services.db.read(run.workspace_id), run.id)) ?? current;
    current = await next(cancelled, current.last_sequence);
    return { end: runObject(current), question };
  } finally {
    const hasLeft = ctx.res.destroyed && !ctx.res.writableFinished;
    if (hasLeft) await cancelCall(services, current, 'the client has disconnected');
  }
}
