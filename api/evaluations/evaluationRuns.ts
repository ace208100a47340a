import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { refuseUnfunded } from '../../calls/funds.ts';
import { scopeNotAllowed } from '../../base/errors/keyErrors.ts';
import { compareRuns } from '../../db/evaluations/compareRuns.ts';
import { readEvaluationResults, readTotals, totalsOf } from '../../db/evaluations/evaluationResults.ts';
import {
  findEvaluationRun,
  findLatestOf,
  findLiveVersion,
  insertEvaluationRun,
  listEvaluationRuns,
  OPEN_EVALUATION_RUNS_MAX,
  requestEvaluationCancel,
  type EvaluationRunRow,
} from '../../db/evaluations/evaluationRuns.ts';
import { readOutputTexts } from '../../db/evaluations/outputTexts.ts';
import { findEvaluationSet } from '../../db/evaluations/evaluationSets.ts';
import { hasScope } from '../../db/keys/scopes.ts';
import { nanosOfUsd } from '../../db/money.ts';
import type { AnyRows, Rows } from '../../db/postgres/rows.ts';
import { refuseOtherAgents } from '../../orders/findAgent.ts';
import { pathId } from '../body/parseWith.ts';
import type { Context, Handler } from '../context.ts';
import { answerPage, type PageInput } from '../http/page.ts';
import { waitSecondsOf } from '../runs/answerRun.ts';
import { readPublisherAgent } from '../publisher/agents.ts';
import { answering } from '../runs/createRun.ts';
import type { Services } from '../services.ts';
import { freezeVersion } from './evaluatedVersion.ts';
import { presentEvaluationRun, presentSummary, type EvaluationRunAnswer } from './evaluationAnswers.ts';
import { evaluationRunNotFound, setNotFound, tooManyEvaluationRuns } from './evaluationErrors.ts';
import type { EvaluationRunBody, EvaluationRunQuery } from './evaluationSchema.ts';

const POLL_MS = 500;
const RETRY_SECONDS = '2';

type Query = z.output<typeof EvaluationRunQuery>;

/**
 * `POST …/evaluation-runs`: runs the set with a version. 202 with the run as created, 200 if it ended while the caller waited. Throws 402,
 * 404 `evaluation_set_not_found`, 409 `too_many_evaluation_runs`, and 422 for a draft that cannot run.
 */
export function startEvaluationRun(services: Services): Handler<z.output<typeof EvaluationRunBody>> {
  const { db, agentModels, runStarter } = services;
  return async (ctx) => {
    const { key, input, resourceId: id } = ctx.state;
    const rows = db.write(key.workspaceId);
    const { id: agentId } = await readPublisherAgent(ctx, db);
    const set = await findEvaluationSet(rows, agentId);
    if (!set) throw setNotFound();
    const isJudged = set.cases.some(({ checks }) => checks.some(({ type }) => type === 'score_model'));
    if (isJudged && !hasScope(key, 'llm')) throw scopeNotAllowed('llm');
    const agent = await freezeVersion(services, rows, { agentId, version: input.version });
    await answering(async () => refuseOtherAgents(key, agent.agent));
    if (!agentModels.isFree(agent.configuration, key.workspaceId)) await refuseUnfunded(ctx.state, services);
    const { versionId, version } = agent;
    const maxCostNanos = input.max_cost_usd === undefined ? null : nanosOfUsd(input.max_cost_usd);
    const { revision: setRevision, cases } = set;
    const order = { id, agentId, keyId: key.keyId, versionId, version, setRevision, cases, maxCostNanos };
    const run = await insertEvaluationRun(rows, order);
    if (!run) throw tooManyEvaluationRuns(OPEN_EVALUATION_RUNS_MAX);
    runStarter.startEvaluation(run);
    await answer(ctx, services, run, {});
  };
}

/** `GET …/evaluation-runs`: the runs of an agent's set, newest first, without their cases. */
export function listRuns({ db, cursors }: Services): Handler<PageInput> {
  return async (ctx) => {
    const rows = db.read(ctx.state.key.workspaceId);
    const { id: agentId } = await readPublisherAgent(ctx, db);
    await answerPage(ctx, cursors, {
      list: `evaluation runs of ${agentId}`,
      read: async (page) => {
        const found = await listEvaluationRuns(rows, agentId, page);
        const ids = found.rows.map(({ id }) => id);
        const totals = await readTotals(rows, ids);
        return { ...found, rows: found.rows.map((run) => ({ ...run, totals: totals.get(run.id) ?? totalsOf([]) })) };
      },
      present: ({ totals, ...run }) => presentSummary(run, totals),
    });
  };
}

/** `GET …/evaluation-runs/{evaluation_run_id}`: with the results of its cases; `Prefer: wait` waits for its end. */
export function retrieveEvaluationRun(services: Services): Handler<Query> {
  return async (ctx) => answer(ctx, services, await read(ctx, services.db), ctx.state.input);
}

/** `POST …/evaluation-runs/{evaluation_run_id}/cancel`: ends it with its running cases. One that has ended stays as it is. */
export function cancelEvaluationRun(services: Services): Handler {
  const { db, runStarter } = services;
  return async (ctx) => {
    const { id } = await read(ctx, db);
    const run = (await requestEvaluationCancel(db.write(ctx.state.key.workspaceId), id))!;
    if (run.endedAt === null) runStarter.cancelEvaluation(run.id);
    await answer(ctx, services, run, {});
  };
}

async function read(ctx: Context, db: Services['db']): Promise<EvaluationRunRow> {
  const agent = await readPublisherAgent(ctx, db);
  const id = pathId(ctx, 'evaluation_run_id');
  const run = await findEvaluationRun(db.read(ctx.state.key.workspaceId), id);
  if (run?.agentId !== agent.id) throw evaluationRunNotFound(id);
  return run;
}

async function answer(ctx: Context, { db }: Services, run: EvaluationRunRow, { against }: Query): Promise<void> {
  const rows = db.read(ctx.state.key.workspaceId);
  const waitSeconds = waitSecondsOf(ctx);
  const current = waitSeconds === null ? run : await awaitEnd(ctx, db, run, waitSeconds * 1000);
  if (waitSeconds !== null) ctx.set('preference-applied', `wait=${waitSeconds}`);
  if (ctx.method === 'POST' && current.endedAt === null) {
    ctx.status = 202;
    ctx.set('retry-after', RETRY_SECONDS);
  }
  ctx.set('location', `/v1/publisher/agents/${run.agentId}/evaluation-runs/${run.id}`);
  const { workspaceId } = ctx.state.key;
  const other = against === undefined ? undefined : await findOther(db, { workspaceId, run: current, against });
  const shown = presentWith(rows, current, other);
  // It is ordered: an error would make the caller order another one.
  ctx.body = await (ctx.method === 'POST' ? shown.catch(() => presentEvaluationRun(current, UNREAD)) : shown);
}

const UNREAD = { results: [], outputs: new Map(), comparison: null };

/** A run with its results, compared with another one. */
export async function presentWith(
  rows: AnyRows,
  run: EvaluationRunRow,
  other: EvaluationRunRow | undefined,
): Promise<z.infer<typeof EvaluationRunAnswer>> {
  const results = await readEvaluationResults(rows, run.id);
  const outputs = await readOutputTexts(rows, run.workspaceId, run.id);
  const comparison = other ? await compareRuns(rows, { run, results }, other) : null;
  return presentEvaluationRun(run, { results, outputs, comparison });
}

interface Compared {
  workspaceId: string;
  run: EvaluationRunRow;
  against: string;
}

async function findOther(
  db: Services['db'],
  { workspaceId, run, against }: Compared,
): Promise<EvaluationRunRow | undefined> {
  const rows = db.read(workspaceId);
  if (against === 'live') return findLatestOfLive(rows, run.agentId);
  const other = await findEvaluationRun(rows, against);
  if (other?.agentId !== run.agentId) throw evaluationRunNotFound(against, 'against');
  return other;
}

/** The newest result of the public version; undefined when none is public, or it was not run. */
export async function findLatestOfLive(rows: Rows, agentId: string): Promise<EvaluationRunRow | undefined> {
  const live = await findLiveVersion(rows, agentId);
  return live && findLatestOf(rows, { agentId, versionId: live.versionId });
}

async function awaitEnd(
  ctx: Context,
  db: Services['db'],
  run: EvaluationRunRow,
  waitMs: number,
): Promise<EvaluationRunRow> {
  const endMs = performance.now() + waitMs;
  let current = run;
  while (current.endedAt === null && performance.now() < endMs && !ctx.res.destroyed) {
    await sleep(Math.min(POLL_MS, Math.max(0, endMs - performance.now())));
    current = (await findEvaluationRun(db.read(run.workspaceId), run.id).catch(() => undefined)) ?? current;
  }
  return current;
}
