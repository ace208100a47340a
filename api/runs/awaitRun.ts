import { findRun, isTerminal, type RunRow } from '../../db/runs/runRow.ts';
import type { Context } from '../context.ts';
import { keyEnded } from '../errors/keyErrors.ts';
import type { Services } from '../services.ts';
import { openKeyedFeed } from './keyedFeed.ts';

/**
 * The run when it has ended or waits for its caller, when the wait is over, or when the caller has disconnected. Throws 401 when the
 * caller's key ends.
 */
export async function awaitRun(ctx: Context, { db }: Services, run: RunRow, waitMs: number): Promise<RunRow> {
  const { id: runId, workspace_id: workspaceId, last_sequence: last } = run;
  const feed = openKeyedFeed({ db }, ctx.state.key.keyId, { workspaceId, runId, after: last, reached: last });
  const timer = setTimeout(feed.close, waitMs);
  ctx.res.on('close', feed.close);
  try {
    let current = run;
    while (!isTerminal(current.status) && current.status !== 'requires_action' && (await feed.next()) !== undefined)
      current = (await findRun(db.orm, workspaceId, runId)) ?? current;
    if (feed.hasKeyEnded()) throw keyEnded();
    return current;
  } finally {
    clearTimeout(timer);
    feed.close();
  }
}
