import type { z } from 'zod';
import { replayRunIdOf, readReplayable, type ReplayFilter } from '../../db/runs/replayRuns.ts';
import { estimateCost } from '../../db/runs/cost/quotes.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { nanosOfUsd, usdOf } from '../../db/money.ts';
import { maxCostOf, priceOf } from '../../orders/price.ts';
import { asApiError } from '../../calls/errors/asApiError.ts';
import type { Context, Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import type { Services } from '../services.ts';
import { answering } from './createRun.ts';
import { placeRerun, soldFor } from './rerun.ts';
import { filterOf } from './runs.ts';
import type { Replay, ReplayOrder, ReplayQuote } from './replaySchema.ts';

type Sent = z.output<typeof ReplayOrder>;
type RerunInput = Parameters<typeof placeRerun>[2]['sent'];

const LIST = 'replayed runs';

/** `POST /v1/runs/replay/quote`: which runs a replay would repeat, and what that would cost. Starts nothing. */
export function quoteReplay(services: Services): Handler<Sent> {
  return async (ctx) => {
    const sent = ctx.state.input;
    const { runs, nextCursor } = await readPage(ctx, services, sent);
    const asked = await Promise.all(runs.map((run) => quoteOf(ctx, services, run, sent)));
    const quotes = asked.filter((one) => one !== undefined);
    const sumOf = (amounts: (number | null)[]) =>
      amounts.includes(null) ? null : usdOf(amounts.reduce<bigint>((sum, usd) => sum + nanosOfUsd(usd!), 0n));
    ctx.body = {
      object: 'run.replay_quote',
      count: quotes.length,
      refused: runs.length - quotes.length,
      p50_usd: sumOf(quotes.map(({ p50Usd }) => p50Usd)),
      p90_usd: sumOf(quotes.map(({ p90Usd }) => p90Usd)),
      max_usd: sumOf(quotes.map(({ maxUsd }) => maxUsd))!,
      run_ids: quotes.map(({ runId }) => runId),
      has_more: nextCursor !== null,
      next_cursor: nextCursor,
    } satisfies z.infer<typeof ReplayQuote>;
  };
}

/** A refusal that the next run would meet, too. */
const STOPPING = new Set([402, 429, 503]);

/**
 * `POST /v1/runs/replay`: repeats ended runs from their start, the newest first. Each run is repeated once in all: its repetition has an id
 * of its own, so that calls which are sent again, or at once, start no other run.
 */
export function replayRuns(services: Services): Handler<Sent> {
  return async (ctx) => {
    const sent = ctx.state.input;
    const { runs, nextCursor } = await readPage(ctx, services, sent);
    const data: z.infer<typeof Replay>['data'] = [];
    let stopped: { error: { code: string; message: string }; before: RunRow | undefined } | undefined;
    for (const [at, run] of runs.entries()) {
      const done = await replayOne(ctx, services, run, sent);
      if ('stopping' in done) {
        stopped = { error: done.stopping, before: runs[at - 1] };
        break;
      }
      data.push({ run_id: run.id, ...done });
    }
    const resumed = stopped
      ? stopped.before
        ? cursorAfter(ctx, services, stopped.before)
        : (sent.cursor ?? null)
      : nextCursor;
    ctx.body = {
      object: 'run.replay',
      data,
      stopped_by: stopped?.error ?? null,
      has_more: stopped !== undefined || nextCursor !== null,
      next_cursor: resumed,
    } satisfies z.infer<typeof Replay>;
  };
}

async function readPage(
  ctx: Context,
  services: Services,
  sent: Sent,
): Promise<{ runs: RunRow[]; nextCursor: string | null }> {
  const { status, replay_version: _version, max_cost_usd: _cost, limit, cursor, ...filters } = sent;
  const { workspaceId } = ctx.state.key;
  const beforeId = cursor === undefined ? null : services.cursors.read(workspaceId, LIST, cursor, 'cursor');
  const filter: ReplayFilter = { ...filterOf(filters), statuses: status };
  const { runs, hasMore } = await readReplayable(seenBy(services.db, ctx.state.key), { ...filter, beforeId, limit });
  return { runs, nextCursor: hasMore ? cursorAfter(ctx, services, runs.at(-1)!) : null };
}

const cursorAfter = (ctx: Context, { cursors }: Services, { id }: RunRow): string =>
  cursors.write(ctx.state.key.workspaceId, LIST, id);

/** The limit of a repetition: the ordered one, or that of the run. */
const maxUsdOf = (run: RunRow, { max_cost_usd: usd }: Sent): number => usd ?? usdOf(BigInt(run.max_cost_nanos));

/** What one repetition would cost; undefined when it would be refused. */
async function quoteOf(ctx: Context, services: Services, run: RunRow, sent: Sent) {
  const { workspaceId } = ctx.state.key;
  const maxUsd = maxUsdOf(run, sent);
  try {
    const order = { ...run, version: sent.replay_version ?? run.version_id };
    const sold = await soldFor(ctx, services, run, order);
    const { pricing } = await priceOf(services, { workspaceId, ...sold });
    await answering(async () => maxCostOf({ max_cost_usd: maxUsd }, pricing));
    const estimated = { workspaceId, agent: sold.agent, pricing, maxUsd };
    return { runId: run.id, maxUsd, ...(await estimateCost(services.db.everywhere, estimated)) };
  } catch (error) {
    if (asApiError(error, ctx.state.requestId).status >= 500) throw error;
    return undefined;
  }
}

type Done = { new_run_id: string | null; error: { code: string; message: string } | null };

async function replayOne(
  ctx: Context,
  services: Services,
  run: RunRow,
  sent: Sent,
): Promise<Done | { stopping: { code: string; message: string } }> {
  ctx.state.resourceId = replayRunIdOf(run.id);
  const { on_limit, timeout_seconds, metadata, webhook_url, webhook_events, priority, flow } = run;
  const order = {
    from_step: 1,
    version: sent.replay_version,
    max_cost_usd: maxUsdOf(run, sent),
    on_limit,
    timeout_seconds,
    metadata,
    priority,
    concurrency: flow?.concurrency ?? undefined,
    webhook_url: webhook_url ?? undefined,
    // As they were ordered.
    webhook_events: (webhook_events ?? undefined) as RerunInput['webhook_events'],
    stream: false,
    source: 'api' as const,
  };
  try {
    const placed = await placeRerun(ctx, services, {
      repeated: run,
      sent: order,
      rerun: { runId: run.id, fromStep: 1 },
    });
    return { new_run_id: placed.id, error: null };
  } catch (error) {
    const { status, code, message } = asApiError(error, ctx.state.requestId);
    if (STOPPING.has(status)) return { stopping: { code, message } };
    if (status >= 500) throw error;
    return { new_run_id: null, error: { code, message } };
  }
}
