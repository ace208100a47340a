import { z } from 'zod';
import { conflict } from '../../base/errors/requestErrors.ts';
import { findShare, revokeShare, shareRun, type RunShareRow } from '../../db/publishedRuns/runShares.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import { runNotFound } from '../../orders/errors.ts';
import { pathId } from '../body/parseWith.ts';
import { actorOf, type Handler } from '../context.ts';
import { runNotTerminal } from '../runs/errors.ts';
import type { Services } from '../services.ts';

const DAYS_MAX = 30;
const DAYS = 7;

export const ShareBody = z.strictObject({
  days: z.int().min(1).max(DAYS_MAX).default(DAYS).describe('How long the publisher may read it, from now.'),
});

const time = z.iso.datetime();

export const RunShare = z.object({
  object: z.literal('run.share'),
  run_id: z.string(),
  is_shareable: z.boolean().describe('An ended run of another workspace’s agent, with its content.'),
  status: z.enum(['none', 'active', 'expired', 'revoked']),
  created_at: time.nullable(),
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
  read_at: time.nullable().describe('When the publisher first read it.'),
});

/** `GET /v1/runs/{run_id}/share`: whether the publisher of the run's agent may read it. */
export function retrieveRunShare({ db }: Services): Handler {
  return async (ctx) => {
    const runId = pathId(ctx, 'run_id');
    ctx.body = await stateOf(db.write(ctx.state.key.workspaceId), runId);
  };
}

/**
 * `POST /v1/runs/{run_id}/share`: lets the publisher of an ended run's agent read its content for some days. Throws 409 `run_not_terminal`,
 * `own_agent`, `live_mode_only` and `run_content_deleted`.
 */
export function createRunShare({ db }: Services): Handler<z.output<typeof ShareBody>> {
  return async (ctx) => {
    const runId = pathId(ctx, 'run_id');
    const { days } = ctx.state.input;
    const rows = db.write(ctx.state.key.workspaceId);
    const shared = await shareRun(rows, runId, { days, by: actorOf(ctx) });
    if (shared === 'not_found') throw runNotFound(runId);
    if (shared === 'own_agent') throw conflict('own_agent', 'The agent is your own: you read its runs anyway.');
    if (shared === 'test') throw conflict('live_mode_only', 'Publishers do not see the runs of test workspaces.');
    if (shared === 'content_deleted') throw conflict('run_content_deleted', 'The content of this run is deleted.');
    if ('notTerminal' in shared) throw runNotTerminal(shared.notTerminal);
    ctx.body = await stateOf(rows, runId);
  };
}

/** `DELETE /v1/runs/{run_id}/share`: the publisher may no longer read it. */
export function deleteRunShare({ db }: Services): Handler {
  return async (ctx) => {
    const runId = pathId(ctx, 'run_id');
    const rows = db.write(ctx.state.key.workspaceId);
    await revokeShare(rows, runId, actorOf(ctx));
    ctx.body = await stateOf(rows, runId);
  };
}

async function stateOf(rows: Rows, runId: string): Promise<z.infer<typeof RunShare>> {
  const found = await findShare(rows, runId);
  if (!found) throw runNotFound(runId);
  const { share, isShareable } = found;
  return {
    object: 'run.share',
    run_id: runId,
    is_shareable: isShareable,
    status: statusOf(share),
    created_at: share?.createdAt.toISOString() ?? null,
    expires_at: share?.expiresAt.toISOString() ?? null,
    revoked_at: share?.revokedAt?.toISOString() ?? null,
    read_at: share?.readAt?.toISOString() ?? null,
  };
}

function statusOf(share: RunShareRow | null): z.infer<typeof RunShare>['status'] {
  if (share === null) return 'none';
  if (share.revokedAt !== null) return 'revoked';
  return share.expiresAt.getTime() > Date.now() ? 'active' : 'expired';
}
