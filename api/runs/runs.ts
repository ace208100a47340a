import type { z } from 'zod';
import { removeRun } from '../../db/runs/removeRun.ts';
import { usdOf } from '../../db/money.ts';
import { readRuns, type RunFilter } from '../../db/runs/listRuns.ts';
import { findRun, isAnswered } from '../../db/runs/runRow.ts';
import { readRunTotals } from '../../db/runs/runTotals.ts';
import type { Context, Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import { pathId } from '../body/parseWith.ts';
import type { Services } from '../services.ts';
import { runNotFound } from '../../orders/errors.ts';
import { runNotTerminal } from './errors.ts';
import type { RunListQuery, RunTotalsQuery } from './runSchema.ts';
import { presentQueued, type RunTotals } from './runAnswers.ts';
import { answerPage } from '../http/page.ts';
import { WAITS_FOR_WORKER, waitsForWorker } from './workerWait.ts';
import type { DeletedThing } from '../files/presentFile.ts';

const LIST = 'runs';

/**
 * `GET /v1/runs/{run_id}`: the current run, with the reason `waits_for_worker` while no worker takes its work. Its ETag combines the number
 * of its last event and that reason, so a poll with `If-None-Match` gets 304.
 */
export function retrieveRun(services: Services): Handler {
  return async (ctx) => {
    const runId = pathId(ctx, 'run_id');
    const rows = seenBy(services.db, ctx.state.key);
    const run = await findRun(rows, runId);
    if (!run) throw runNotFound(runId);
    const waiting = (await waitsForWorker(services, run)) ? { status_reason: WAITS_FOR_WORKER } : {};
    const [shown] = await presentQueued(rows, [{ ...run, ...waiting }]);
    // An answer that its workflow has not read yet has no event, and neither has a queue that moves.
    const { queue } = shown!;
    const place = queue ? [`${queue.waits_for}${queue.position ?? ''}`] : [];
    const reasons = [...Object.values(waiting), ...(isAnswered(run) ? ['answered'] : []), ...place];
    const etag = `"${[run.last_sequence, ...reasons].join('-')}"`;
    ctx.set('etag', etag);
    if (isKnown(ctx, etag)) {
      ctx.status = 304;
      ctx.body = null;
    } else ctx.body = shown;
  };
}

/** `DELETE /v1/runs/{run_id}`: deletes input, output and events of an ended run; 409 `run_not_terminal` before its end. Its bill stays. */
export function deleteRun({ db }: Services): Handler {
  return async (ctx) => {
    const runId = pathId(ctx, 'run_id');
    const deletion = await removeRun(db.write(ctx.state.key.workspaceId), runId);
    if (deletion.outcome === 'not_found') throw runNotFound(runId);
    if (deletion.outcome === 'not_terminal') throw runNotTerminal(deletion.status);
    ctx.body = { id: runId, object: 'run', deleted: true } satisfies DeletedThing;
  };
}

function isKnown({ req }: Context, etag: string): boolean {
  const known = req.headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? [];
  return known.includes(etag) || known.includes('*');
}

/** `GET /v1/runs`: the workspace's runs, newest first, in pages. */
export function listRuns({ db, cursors }: Services): Handler<z.output<typeof RunListQuery>> {
  return (ctx) => {
    const filter = filterOf(ctx.state.input);
    const rows = seenBy(db, ctx.state.key);
    return answerPage(ctx, cursors, {
      list: LIST,
      read: async ({ after, limit }) => {
        const { runs, hasMore } = await readRuns(rows, { ...filter, beforeId: after, limit });
        return { rows: await presentQueued(rows, runs), hasMore };
      },
      present: (run) => run,
    });
  };
}

/** `GET /v1/runs/totals`: how many runs that list has, and what they cost. */
export function retrieveRunTotals({ db }: Services): Handler<z.output<typeof RunTotalsQuery>> {
  return async (ctx) => {
    const filter = filterOf(ctx.state.input);
    const { count, costNanos } = await readRunTotals(seenBy(db, ctx.state.key), filter);
    ctx.body = {
      object: 'run.totals',
      count,
      cost_usd: costNanos === null ? null : usdOf(costNanos),
      is_capped: costNanos === null,
    } satisfies z.infer<typeof RunTotals>;
  };
}

/** The filter of a query. */
export function filterOf(input: z.output<typeof RunTotalsQuery>): RunFilter {
  const { session_id, schedule_id, parent_run_id, error_code, error, ...same } = input;
  return {
    ...same,
    sessionId: session_id,
    scheduleId: schedule_id,
    parentRunId: parent_run_id,
    errorCode: error_code,
    errorText: error,
  };
}
