import type { z } from 'zod';
import { listPublishedRuns } from '../../db/publishedRuns/publishedRuns.ts';
import { findPublishedStep, listPublishedSteps } from '../../db/publishedRuns/publishedSteps.ts';
import { findStep, listSteps } from '../../db/runs/steps/readSteps.ts';
import { pathId } from '../body/parseWith.ts';
import type { Handler } from '../context.ts';
import { answerPage, type PageInput } from '../http/page.ts';
import { stepNotFound } from '../runs/errors.ts';
import { presentRun } from '../runs/runAnswers.ts';
import { presentStep, presentWholeStep } from '../runs/stepAnswers.ts';
import type { Services } from '../services.ts';
import { ownAgent, publishedRun, readableRun, readsOwn } from './ownAgent.ts';
import { presentPublishedRun, presentPublishedStep, workspaceOfCaller } from './presentRuns.ts';
import type { PublishedRunDetail, PublishedStep, WholePublishedStep } from './runAnswers.ts';
import type { PublishedRunsQuery } from './runQueries.ts';

/**
 * `GET /v1/publisher/agents/{agent_id}/runs`: the ended runs of an agent, without what their callers have sent or got. Throws 422 for a
 * caller that none of these lists names.
 */
export function listAgentRuns(services: Services): Handler<z.output<typeof PublishedRunsQuery>> {
  const { db, cursors } = services;
  return async (ctx) => {
    const agent = await ownAgent(ctx, services);
    const { caller_id: callerId, error_code: code, version_id: versionId, shared: isShared, ...rest } = ctx.state.input;
    const { whose, status, fault, from, to } = rest;
    const { agentId, workspaceId: publisherId } = agent;
    const caller = callerId === undefined ? undefined : workspaceOfCaller(cursors, publisherId, callerId);
    const filter = { ...agent, whose, status, code, fault, versionId, callerId: caller, isShared, from, to };
    await answerPage(ctx, cursors, {
      list: `publisher.runs ${JSON.stringify(filter)}`,
      read: (page) => listPublishedRuns(db.everywhere, filter, page),
      present: (row) => presentPublishedRun(row, { agentId, publisherId, cursors, readsOwn: readsOwn(ctx.state.key) }),
    });
  };
}

/** `GET /v1/publisher/agents/{agent_id}/runs/{run_id}`: one of them, with its content where that may be read. */
export function retrieveAgentRun(services: Services): Handler {
  return async (ctx) => {
    const row = await publishedRun(ctx, services);
    const { key } = ctx.state;
    const readable = await readableRun(ctx, services, row);
    const content = readable && presentRun(readable.run);
    ctx.body = {
      ...presentPublishedRun(row, {
        agentId: pathId(ctx, 'agent_id'),
        publisherId: key.workspaceId,
        cursors: services.cursors,
        readsOwn: readsOwn(key),
      }),
      content: content
        ? { input: content.input, output: content.output, error_message: content.error?.message ?? null }
        : null,
    } satisfies z.infer<typeof PublishedRunDetail>;
  };
}

/** `GET /v1/publisher/agents/{agent_id}/runs/{run_id}/steps`: its steps in order, each with the beginning of its content where that may be read. */
export function listAgentRunSteps(services: Services): Handler<PageInput> {
  const { db, cursors } = services;
  return async (ctx) => {
    const row = await publishedRun(ctx, services);
    const readable = await readableRun(ctx, services, row);
    await answerPage(ctx, cursors, {
      list: `publisher.steps ${row.id}`,
      read: async (page) => {
        const { rows, hasMore } = await listPublishedSteps(db.everywhere, row, page);
        const whole = readable && (await listSteps(readable.rows, row.id, page)).rows;
        const contentOf = new Map(whole?.map((step) => [step.id, presentStep(readable!.run, step)]));
        return { rows: rows.map((step) => ({ ...step, content: contentOf.get(step.id) })), hasMore };
      },
      present: ({ content, ...step }) =>
        ({
          ...presentPublishedStep(row, step),
          content: content
            ? {
                arguments: content.arguments,
                arguments_truncated: content.arguments_truncated,
                result_preview: content.result_preview,
                result_truncated: content.result_truncated,
              }
            : null,
        }) satisfies z.infer<typeof PublishedStep>,
    });
  };
}

/** `GET /v1/publisher/agents/{agent_id}/runs/{run_id}/steps/{step_id}`: a step, with its whole content where that may be read. */
export function retrieveAgentRunStep(services: Services): Handler {
  return async (ctx) => {
    const row = await publishedRun(ctx, services);
    const stepId = pathId(ctx, 'step_id');
    const step = await findPublishedStep(services.db.everywhere, row, stepId);
    if (!step) throw stepNotFound(stepId);
    const readable = await readableRun(ctx, services, row);
    const whole = readable && (await findStep(readable.rows, row.id, stepId));
    const content = whole && presentWholeStep(readable.run, whole, null);
    ctx.body = {
      ...presentPublishedStep(row, step),
      content: content ? { arguments: content.arguments, result: content.result } : null,
    } satisfies z.infer<typeof WholePublishedStep>;
  };
}
