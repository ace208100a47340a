import type { z } from 'zod';
import { findTestedVersion, testPricing } from '../../db/publishing/testVersion.ts';
import { findStep } from '../../db/runs/steps/readSteps.ts';
import { findRun, isTerminal, type RunRow } from '../../db/runs/runRow.ts';
import { pathId } from '../body/parseWith.ts';
import type { Context, Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import type { ApiError } from '../../base/errors/apiError.ts';
import type { Services } from '../services.ts';
import { answerRun } from './answerRun.ts';
import { agentNotFound, contentDeleted, runNotEnded, runNotFound } from '../../orders/errors.ts';
import type { Sold } from '../../orders/findAgent.ts';
import type { Order } from '../../orders/order.ts';
import { findAgent, placeRunOf } from './createRun.ts';
import { stepNotFound } from './errors.ts';
import type { RerunOrder } from './runSchema.ts';

type Sent = z.output<typeof RerunOrder>;

/**
 * `POST /v1/runs/{run_id}/rerun`: a new run that reuses the results of the steps before `from_step` and pays only for later steps, in a
 * copy of the session as of that step. Answers as `POST /v1/runs` does. 409 `run_not_terminal`, 410 `content_deleted`.
 */
export function rerunRun(services: Services): Handler<Sent> {
  return async (ctx) => {
    const sent = ctx.state.input;
    const repeated = await findRepeated(ctx, services);
    const rerun = { runId: repeated.id, fromStep: await numberOf(ctx, services, sent.from_step, repeated.id) };
    const run = await placeRerun(ctx, services, { repeated, sent, rerun });
    await answerRun(ctx, services, run, { ...sent, start_after_seconds: 0 });
  };
}

async function findRepeated(ctx: Context, { db }: Services): Promise<RunRow> {
  const runId = pathId(ctx, 'run_id');
  const run = await findRun(seenBy(db, ctx.state.key), runId);
  if (!run) throw runNotFound(runId);
  if (!isTerminal(run.status)) throw runNotEnded(run.status);
  if (run.content_deleted_at !== null) throw contentDeleted();
  return run;
}

async function numberOf(ctx: Context, { db }: Services, fromStep: number | string, runId: string): Promise<number> {
  if (typeof fromStep === 'number') return fromStep;
  const step = await findStep(seenBy(db, ctx.state.key), runId, fromStep);
  if (!step) throw stepNotFound(fromStep, 'from_step');
  return step.step;
}

/** Places the repetition of a run under the id in `ctx.state.resourceId`. */
export async function placeRerun(
  ctx: Context,
  services: Services,
  { repeated, sent, rerun }: { repeated: RunRow; sent: Sent; rerun: { runId: string; fromStep: number } },
): Promise<RunRow> {
  const { from_step: _from, version, visibility, input, response_format, source, ...members } = sent;
  const isOfDraft = repeated.source === 'test';
  const order: Order = {
    ...members,
    agent: repeated.agent,
    version: version ?? repeated.version_id,
    visibility: visibility ?? repeated.visibility,
    input: input ?? repeated.input,
    response_format: response_format ?? repeated.response_format ?? undefined,
    user: members.user ?? repeated.end_user ?? undefined,
    source: isOfDraft ? 'test' : source,
    if_session_busy: 'reject',
    start_after_seconds: 0,
  };
  const sold = await soldFor(ctx, services, repeated, order);
  try {
    return await placeRunOf(ctx, services, { order, rerun, ...sold });
  } catch (error) {
    // The request does not contain the repeated run's files.
    if (input === undefined && (error as ApiError).code === 'file_not_found') throw contentDeleted();
    throw error;
  }
}

/** What repeats a run: a version that is sold, or one of the draft that the run tested. */
export async function soldFor(
  ctx: Context,
  services: Services,
  repeated: RunRow,
  order: Pick<Order, 'agent' | 'version' | 'visibility'>,
): Promise<Sold> {
  if (repeated.source === 'test') return findTested(ctx, services, repeated, order.version!);
  return { agent: await findAgent(ctx, services, order) };
}

/** A rerun of a draft's test is also a test: with any version of the workspace's agent, at the platform's costs. */
async function findTested(ctx: Context, { db }: Services, { agent: name, agent_id: agentId }: RunRow, version: string) {
  const agent = await findTestedVersion(seenBy(db, ctx.state.key), { agentId, version });
  if (!agent) throw agentNotFound(name, version, 'version');
  return { agent, prices: testPricing(agent.configuration) };
}
