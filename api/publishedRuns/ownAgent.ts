import { findPublishedRun, type PublishedRun } from '../../db/publishedRuns/publishedRuns.ts';
import { markShareRead } from '../../db/publishedRuns/runShares.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import { hasScope } from '../../db/keys/scopes.ts';
import type { Key } from '../../db/keys/keys.ts';
import { findRun, type RunRow } from '../../db/runs/runRow.ts';
import { runNotFound } from '../../orders/errors.ts';
import { pathId } from '../body/parseWith.ts';
import type { Context } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import { agentNotFound } from '../publisher/errors.ts';
import type { Services } from '../services.ts';

/** The agent in the path, which belongs to the workspace. Throws 404 `agent_not_found`. */
export async function ownAgent(ctx: Context, { db }: Services): Promise<{ agentId: string; workspaceId: string }> {
  const agentId = pathId(ctx, 'agent_id');
  const { workspaceId } = ctx.state.key;
  const agent = await db
    .read(workspaceId)
    .statement(({ em, Agent }) => em.findOne(Agent, { id: agentId }, { fields: ['id'] }));
  if (!agent) throw agentNotFound(agentId);
  return { agentId, workspaceId };
}

/** The run in the path, an ended one of this agent. Throws 404 `run_not_found`. */
export async function publishedRun(ctx: Context, services: Services): Promise<PublishedRun> {
  const runId = pathId(ctx, 'run_id');
  const run = await findPublishedRun(services.db.everywhere, { ...(await ownAgent(ctx, services)), runId });
  if (!run) throw runNotFound(runId);
  return run;
}

/** Whether a key may read the content of its workspace's runs. */
export const readsOwn = (key: Key): boolean => hasScope(key, 'agents');

/**
 * The run with its content, and the rows of its caller; undefined where the publisher may not read it: only runs that their caller shares,
 * and those of its own workspace that the key sees anyway.
 */
export async function readableRun(
  ctx: Context,
  { db }: Services,
  { id, isOwn, workspaceId, sharedUntil }: PublishedRun,
): Promise<{ rows: Rows; run: RunRow } | undefined> {
  const { key } = ctx.state;
  if (isOwn ? !readsOwn(key) : sharedUntil === null) return undefined;
  const rows = isOwn ? seenBy(db, key) : db.read(workspaceId);
  const run = await findRun(rows, id);
  if (!run || run.content_deleted_at !== null) return undefined;
  if (!isOwn) await markShareRead(db.everywhere, id);
  return { rows, run };
}
